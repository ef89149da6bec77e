import { expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { SchemaChecker } from './validate';
import { summaryOf, violationMessage } from './violation';

const check = (schema: object, value: string) =>
  new SchemaChecker(JSON.stringify(schema)).check(parseExact(value)).map(violationMessage);

test('a violation is told once, where it is', () => {
  expect(
    check(
      {
        type: 'object',
        properties: { list: { type: 'array', items: { $ref: '#/$defs/name' } } },
        required: ['list', 'other'],
        $defs: { name: { type: 'string' } },
      },
      '{"list":["a",2]}',
    ),
  ).toEqual(['`other` is missing.', '`list/1`: Enter text.']);
});

const shapes = {
  oneOf: [
    { type: 'object', properties: { kind: { const: 'circle' } }, required: ['kind', 'radius'] },
    { type: 'object', properties: { kind: { const: 'square' } }, required: ['kind', 'side'] },
  ],
};

test('of a union, what the meant alternative misses is told', () => {
  expect(check({ properties: { shape: shapes } }, '{"shape":{"kind":"square"}}')).toEqual([
    '`shape/side` is missing.',
  ]);
});

test('a value that is no alternative fits none of them', () => {
  expect(check({ properties: { shape: shapes } }, '{"shape":7}')).toEqual([
    '`shape`: None of the alternatives fits.',
  ]);
});

test('a schema that cannot be used says so instead of failing', () => {
  const checker = new SchemaChecker('{"$ref":"#/nowhere"}');
  expect(checker.problem ?? checker.check(parseExact('{}'))[0]?.message).toMatch(/cannot be used/);
});

test('a violation says what to enter instead, digit by digit', () => {
  const told = (schema: object, value: string) => check({ properties: { a: schema } }, value)[0];
  expect(told({ type: 'integer' }, '{"a":"x"}')).toBe('`a`: Enter a whole number.');
  expect(told({ type: ['string', 'null'] }, '{"a":1}')).toBe(
    '`a`: This must be string or null, not number.',
  );
  expect(told({ type: 'array', minItems: 1 }, '{"a":[]}')).toBe('`a`: Add at least one item.');
  expect(told({ type: 'array', minItems: 4 }, '{"a":[]}')).toBe('`a`: Add at least 4 items.');
  expect(told({ type: 'string', maxLength: 1 }, '{"a":"xy"}')).toBe(
    '`a`: Enter at most one character.',
  );
  expect(told({ const: 'circle' }, '{"a":"x"}')).toBe('`a`: This must be "circle".');
  expect(told({ format: 'email' }, '{"a":"x"}')).toBe('`a`: Enter an email address.');
  expect(told({ uniqueItems: true }, '{"a":[1,2,1]}')).toBe('`a`: Items 1 and 3 are the same.');
  const limit = '{"$ref":"#/$defs/l","$defs":{"l":{"minimum":9223372036854775807}}}';
  expect(new SchemaChecker(limit).check(parseExact('5')).map(violationMessage)).toEqual([
    'Enter 9223372036854775807 or more.',
  ]);
});

test('a condition is told as the reason of what it requires', () => {
  const schema = {
    properties: { delivery: { enum: ['courier', 'pickup'] } },
    if: { properties: { delivery: { const: 'courier' } }, required: ['delivery'] },
    then: { required: ['address'] },
  };
  expect(check(schema, '{"delivery":"courier"}')).toEqual([
    'Because `delivery` is "courier", `address` is required.',
  ]);
});

test('a condition on a member that is not given is no reason', () => {
  const when = { properties: { delivery: { const: 'post' } } };
  const schema = { if: when, then: { required: ['address'] } };
  const needed = { ...schema, required: ['delivery'] };
  expect(check(needed, '{}')).toEqual(['`delivery` is missing.']);
  expect(check(needed, '{"delivery":"post"}')).toEqual([
    'Because `delivery` is "post", `address` is required.',
  ]);
  expect(check(needed, '{"delivery":"pickup"}')).toEqual([]);
  // The schema does require it then, for this reason and no other.
  expect(check(schema, '{}')).toEqual(['Because `delivery` is missing, `address` is required.']);
});

test('what is asked for otherwise waits for the member that decides', () => {
  const schema = {
    required: ['delivery'],
    if: { properties: { delivery: { const: 'post' } }, required: ['delivery'] },
    then: { required: ['address'] },
    else: { required: ['shop'] },
  };
  expect(check(schema, '{}')).toEqual(['`delivery` is missing.']);
  expect(check(schema, '{"delivery":"pickup"}')).toEqual(['`shop` is missing.']);
  const within = { properties: { order: schema } };
  expect(check(within, '{"order":{}}')).toEqual(['`order/delivery` is missing.']);
  expect(check(within, '{"order":{"delivery":"post"}}')).toEqual([
    'Because `delivery` is "post", `order/address` is required.',
  ]);
});

test('several violations are told in a line', () => {
  const missing = (name: string) => ({ pointer: `/${name}`, message: 'Required.', missing: true });
  const wrong = { pointer: '/c', message: 'Enter text.', missing: false };
  expect(summaryOf([missing('a')])).toBe('`a` is missing.');
  expect(summaryOf([missing('a'), missing('b')])).toBe('`a` and 1 more field are missing.');
  expect(summaryOf([wrong, missing('a')])).toBe('`c`: Enter text. And 1 more problem.');
});
