import { expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { expectationsOf } from './expectations';

test.each([
  ['equals', '{"a":1.50}', '{"a":1.50}'],
  ['type', '12345678901234567890', '"number"'],
  ['type', '{}', '"object"'],
  ['type', 'null', '"null"'],
  ['type', 'true', '"boolean"'],
  ['count', '[1,2]', '2'],
  ['count', '"añ😀"', '3'],
  ['exists', '1', null],
  ['snapshot', '1', null],
] as const)('%s of %s has the argument %s', (predicate, value, argument) => {
  const offered = expectationsOf('result', [], parseExact(value));
  expect(offered.find(({ draft }) => draft.is === predicate)?.draft.to).toBe(argument);
});

test('a number has no length', () => {
  const offered = expectationsOf('result', ['sum'], parseExact('3'));
  expect(offered.map(({ title }) => title)).toEqual([
    'Equals 3',
    'Exists',
    'Has the type number',
    'Stays as it is now (snapshot)',
  ]);
  expect(offered[0]?.draft.value).toBe('$.sum');
});

test.each([
  [['code'], 'error.code'],
  [['data', 'retry', 0], 'error.data$.retry[0]'],
  [['data'], 'error.data'],
])('the value of an error at %j is %s', (path, name) => {
  expect(expectationsOf('error', path, null)[0]?.draft.value).toBe(name);
});
