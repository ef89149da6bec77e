import { expect, test } from 'vitest';
import { differencesOf, MAX_DIFFERENCES, whereTextsDiffer } from './difference';
import { parseExact, stringifyExact } from './exact';

/** The differences, one a line, as in `changed /a 1 → 2`. */
function told(before: string, after: string): string[] {
  const text = (value: Parameters<typeof stringifyExact>[0] | undefined) =>
    value === undefined ? '' : stringifyExact(value, 0);
  return differencesOf(parseExact(before), parseExact(after)).differences.map((difference) =>
    [
      difference.kind,
      difference.pointer,
      [text(difference.before), text(difference.after)].filter(Boolean).join(' → '),
    ].join(' '),
  );
}

test('equal values have no difference, whatever the order of their members', () => {
  expect(told('{"a":1,"b":[{"c":null}]}', '{"b":[{"c":null}],"a":1}')).toEqual([]);
});

test('members are added, removed and changed', () => {
  expect(told('{"a":1,"b":"x","c":{"d":true}}', '{"a":2,"c":{"d":true,"e":[]}}')).toEqual([
    'changed /a 1 → 2',
    'removed /b "x"',
    'added /c/e []',
  ]);
});

test('numbers are compared by their digits', () => {
  expect(told('[9007199254740992]', '[9007199254740993]')).toEqual([
    'changed /0 9007199254740992 → 9007199254740993',
  ]);
  expect(told('1.0', '1')).toEqual(['changed  1.0 → 1']);
});

test('an item that was put in does not change those behind it', () => {
  expect(told('["a","b","c"]', '["a","new","b","c"]')).toEqual(['added /1 "new"']);
  expect(told('["a","b","c","d"]', '["b","c","x","d"]')).toEqual([
    'removed /0 "a"',
    'added /2 "x"',
  ]);
});

test('an item in the place of another is compared with it', () => {
  expect(told('[{"id":1,"n":"a"},{"id":2}]', '[{"id":1,"n":"b"},{"id":2}]')).toEqual([
    'changed /0/n "a" → "b"',
  ]);
});

test('a name such as __proto__ is a member like any other', () => {
  expect(told('{"toString":1}', '{}')).toEqual(['removed /toString 1']);
  expect(told('{}', '{"hasOwnProperty":1}')).toEqual(['added /hasOwnProperty 1']);
});

test('names are escaped in the pointer, and another kind of value is a change', () => {
  expect(told('{"a/b":{"~":1}}', '{"a/b":{"~":[1]}}')).toEqual(['changed /a~1b/~0 1 → [1]']);
});

test('very many differences are cut, in little time', () => {
  const list = (from: number) => JSON.stringify([...Array(20_000).keys()].map((n) => n + from));
  const { differences, isCut } = differencesOf(parseExact(list(0)), parseExact(list(1_000_000)));
  expect(differences.length).toBe(MAX_DIFFERENCES);
  expect(isCut).toBe(true);
});

test('long texts are shown from where they differ', () => {
  const start = 'x'.repeat(100);
  expect(whereTextsDiffer(`${start}one`, `${start}two`)).toEqual([
    `…${'x'.repeat(24)}one`,
    `…${'x'.repeat(24)}two`,
  ]);
  expect(whereTextsDiffer('abc', 'abd')).toEqual(['abc', 'abd']);
});
