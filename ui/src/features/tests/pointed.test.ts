import { expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { argumentOf, errorValue } from './pointed';

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
  expect(argumentOf(predicate, parseExact(value))).toBe(argument);
});

test.each([
  [['code'], 'error.code'],
  [['data', 'retry', 0], 'error.data$.retry[0]'],
  [['data'], 'error.data'],
])('the value of an error at %j is %s', (path, name) => {
  expect(errorValue(path)).toBe(name);
});
