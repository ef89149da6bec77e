import { expect, test } from 'vitest';
import { shellQuoted } from './shell';

test('a text survives the shell', () => {
  expect(shellQuoted('echo')).toBe('echo');
  expect(shellQuoted('two words')).toBe("'two words'");
  expect(shellQuoted('{"a":"it\'s $HOME"}')).toBe("'{\"a\":\"it'\\''s $HOME\"}'");
  expect(shellQuoted('')).toBe("''");
});
