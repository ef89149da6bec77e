import { expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { SchemaChecker, violationMessage } from './validate';

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
  ).toEqual(['other is required.', 'list/1: Expected string, not number.']);
});

const shapes = {
  oneOf: [
    { type: 'object', properties: { kind: { const: 'circle' } }, required: ['kind', 'radius'] },
    { type: 'object', properties: { kind: { const: 'square' } }, required: ['kind', 'side'] },
  ],
};

test('of a union, what the meant alternative misses is told', () => {
  expect(check({ properties: { shape: shapes } }, '{"shape":{"kind":"square"}}')).toEqual([
    'shape/side is required.',
  ]);
});

test('a value that is no alternative fits none of them', () => {
  expect(check({ properties: { shape: shapes } }, '{"shape":7}')).toEqual([
    'shape: Fits none of the alternatives, or more than one.',
  ]);
});

test('a schema that cannot be used says so instead of failing', () => {
  const checker = new SchemaChecker('{"$ref":"#/nowhere"}');
  expect(checker.problem ?? checker.check(parseExact('{}'))[0]?.message).toMatch(/cannot be used/);
});
