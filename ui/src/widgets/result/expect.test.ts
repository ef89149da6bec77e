import { expect, test } from 'vitest';
import { pathInResult } from './expect';

test('a part of a result has the path that a test expects it at', () => {
  expect(pathInResult('/result/structuredContent')).toEqual(['structuredContent']);
  expect(pathInResult('/result/content/0/text')).toEqual(['content', 0, 'text']);
  expect(pathInResult('/error/data')).toBeNull();
});
