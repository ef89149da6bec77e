import { expect, test } from 'vitest';
import { tokenizeLine } from './tokenize';

const kinds = (line: string) =>
  tokenizeLine(line)
    .filter(({ kind }) => kind !== 'plain' && kind !== 'punctuation')
    .map(({ kind, text }) => `${kind} ${text}`);

test('names, strings, numbers and literals are told apart', () => {
  expect(kinds('  "a": "b", "n": -1.5e+3, "t": true, "z": null')).toEqual([
    'key "a"',
    'string "b"',
    'key "n"',
    'number -1.5e+3',
    'key "t"',
    'literal true',
    'key "z"',
    'literal null',
  ]);
});

test('escaped quotes stay inside their string', () => {
  expect(kinds(String.raw`"say \"hi\" \\": "x"`)).toEqual([
    String.raw`key "say \"hi\" \\"`,
    'string "x"',
  ]);
});

test.each([
  '{"a":[1,2,{"b":"c"}]}',
  'continued text of a string that began above", "next": 1',
  '"never closed',
  'nonsense \\ ~ ü 漢字 \t "x":tru',
  '',
])('the pieces of %j join to the line', (line) => {
  expect(
    tokenizeLine(line)
      .map(({ text }) => text)
      .join(''),
  ).toBe(line);
});

test('a line of 2,000 characters is cut in one pass', () => {
  const line = '"a":1,'.repeat(333);
  expect(
    tokenizeLine(line)
      .map(({ text }) => text)
      .join(''),
  ).toBe(line);
});
