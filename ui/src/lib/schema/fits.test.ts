import { expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { tag } from '@/lib/json/tagged';
import { fits } from './fits';
import { prepareSchema } from './prepare';

/** Tells whether a value, as JSON, fits a schema. */
const isFitting = (schema: object, value: string) => {
  const prepared = prepareSchema(JSON.stringify({ properties: { a: schema } }));
  return fits(prepared, tag(parseExact(`{"a":${value}}`)), prepared);
};

test.each([
  [{ type: 'integer' }, '1.0', '1.5'],
  [{ type: ['string', 'null'] }, 'null', '7'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, '["x"]', '["x", "y"]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, '["x"]', '["x", 1]'],
  [{ type: 'array', items: {}, contains: { const: 1 } }, '[0, 1]', '[0]'],
  [{ type: 'object', properties: { kind: { const: 'x' } } }, '{"kind": "x"}', '{"kind": "y"}'],
  [{ type: 'object', properties: {}, required: ['x'] }, '{"x": null}', '{}'],
  [{ properties: { x: {} }, additionalProperties: false }, '{"x": 1}', '{"y": 1}'],
  [{ properties: {}, dependentRequired: { x: ['y'] } }, '{"x": 1, "y": 2}', '{"x": 1}'],
  [{ type: 'number', minimum: 2, exclusiveMaximum: 3 }, '2', '3'],
  [{ type: 'string', minLength: 2 }, '"ab"', '"a"'],
  [{ enum: [1, 'x'] }, '1.0', '2'],
  [{ not: { type: 'string' }, type: ['string', 'number'] }, '1', '"x"'],
  [{ allOf: [{ type: 'string' }, { enum: ['x', 'y'] }] }, '"x"', '"z"'],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, '1.5', '1'],
  [
    {
      properties: { x: {} },
      if: { properties: { x: { const: 1 } }, required: ['x'] },
      else: { required: ['y'] },
    },
    '{"x": 1}',
    '{"x": 2}',
  ],
])('the value that fits is told from one that does not: %j', (schema, one, other) => {
  expect(isFitting(schema, one)).toBe(true);
  expect(isFitting(schema, other)).toBe(false);
});

test('a reference is followed, and one to nowhere fits nothing', () => {
  const schema = { properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } };
  const prepared = prepareSchema(JSON.stringify(schema));
  expect(fits(prepared, { a: 'x' }, prepared)).toBe(true);
  expect(fits(prepared, { a: true }, prepared)).toBe(false);
  expect(fits({ $ref: '#/nowhere' }, 'x', prepared)).toBe(false);
});
