import { expect, test } from 'vitest';
import { oneLine } from './use-run-copies';

test('the command line makes the same call, digit by digit', () => {
  expect(oneLine('{\n  "n": 9007199254740993,\n  "s": "it\'s"\n}')).toBe(
    '{"n":9007199254740993,"s":"it\'s"}',
  );
});
