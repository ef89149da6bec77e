import { expect, test } from 'vitest';
import { type Tagged, taggedText } from '@/lib/json/tagged';
import { hasTooManyFields, tooLargeForForm } from './budget';
import { limitTexts, titleOf, typeText } from './describe';
import { fits } from './fits';
import { AS_JSON, type FormSchema } from './form-schema';
import { emptyValue, initialValue, newItem } from './initial';
import { LEFT_OUT, MAX_INITIAL, MAX_SCHEMAS } from './limits';
import { prepareSchema } from './prepare';

/** Everything that the window makes of a schema before it draws it. */
function use(schema: unknown) {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const prepared = prepareSchema(text);
  const value = initialValue(prepared, prepared);
  return { prepared, value, tooLarge: tooLargeForForm(prepared) };
}

/** Counts what is in a value, or a schema, up to a limit. */
function sizeOf(value: unknown, most = 1_000_000): number {
  const unseen = [value];
  let count = 0;
  for (let item = unseen.pop(); unseen.length >= 0; item = unseen.pop()) {
    if (item === undefined && unseen.length === 0) return count;
    count += 1;
    if (count > most) return count;
    if (typeof item === 'object' && item !== null) unseen.push(...Object.values(item));
  }
  return count;
}

function chain(levels: number, link: (next: { $ref: string }) => object) {
  const $defs: Record<string, object> = { [`a${levels}`]: { type: 'string' } };
  for (let level = 0; level < levels; level += 1) {
    $defs[`a${level}`] = link({ $ref: `#/$defs/a${level + 1}` });
  }
  return { type: 'object', properties: { start: { $ref: '#/$defs/a0' } }, $defs };
}

test('nested arrays that need many items each start with few in all', () => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < 6; level += 1) {
    schema = { type: 'array', minItems: 1e9, items: schema };
  }
  const { value } = use({ type: 'object', properties: { a: schema }, required: ['a'] });
  expect(sizeOf(value)).toBeLessThan(3 * MAX_INITIAL);
});

test('defaults that lead back to themselves end', () => {
  const { value } = use({ type: 'object', default: {}, properties: { a: { $ref: '#' } } });
  expect(sizeOf(value)).toBeLessThan(MAX_INITIAL);
});

test.each([
  ['allOf', (next: object) => ({ allOf: [next, next] })],
  ['members', (next: object) => ({ type: 'object', properties: { x: next, y: next } })],
  ['alternatives', (next: object) => ({ anyOf: [next, next] })],
  ['tuples', (next: object) => ({ type: 'array', prefixItems: [next, next] })],
])('a chain that doubles with each level has no form: %s', (name, link) => {
  const { tooLarge, prepared } = use(chain(20, link));
  expect(tooLarge).toMatch(/more than/);
  expect(typeText(prepared.properties?.start ?? {}, prepared).length).toBeLessThan(200);
  // What fits is looked at to the end, and of alternatives what does not fit.
  const start = name === 'allOf' ? 'x' : {};
  const takesLong = name === 'allOf' || name === 'alternatives';
  expect(fits(prepared, { start }, prepared)).toBe(takesLong ? undefined : name === 'members');
  expect(use(chain(1_000, link)).tooLarge).toBeDefined();
});

test('an ordinary schema that refers to itself keeps its form', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
  };
  expect(use(tree).tooLarge).toBeUndefined();
  let value: Tagged = {};
  for (let level = 0; level < 30; level += 1) value = { children: [value] };
  const { prepared } = use(tree);
  expect(fits(prepared, value, prepared)).toBe(true);
});

test('what doubles with the depth of the value is not followed on the thread that draws', () => {
  const inner = { properties: { a: { $ref: '#' } } };
  const { prepared } = use({ type: 'object', allOf: [inner, inner] });
  let value: Tagged = {};
  for (let level = 0; level < 40; level += 1) value = { a: value };
  expect(fits(prepared, value, prepared)).toBeUndefined();
});

test('ten thousand members are edited as JSON, which says so', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
  );
  const { prepared } = use({
    type: 'object',
    properties: { many: { type: 'object', properties } },
  });
  expect(prepared.properties?.many?.[LEFT_OUT]).toBe(
    'This has 10,000 members, too many for a form. Edit it as JSON.',
  );
});

test('ten thousand values of an enumeration become a text field that says so', () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
  const { prepared } = use({ type: 'object', properties: { one: { enum: values } } });
  const one = prepared.properties?.one;
  expect(one?.type).toBe('string');
  expect(one?.enum).toBeUndefined();
  expect(one?.[LEFT_OUT]).toBe('One of 10,000 values, too many for a list.');
});

test('a schema nested a thousand levels deep ends as JSON', () => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < 1_000; level += 1) {
    schema = { type: 'object', properties: { a: schema }, required: ['a'] };
  }
  const { prepared, tooLarge, value } = use(schema);
  expect(tooLarge).toBeUndefined();
  expect(sizeOf(prepared)).toBeLessThan(1_000);
  expect(sizeOf(value)).toBeLessThan(100);
});

test('a value with more items than can be drawn is edited as JSON', () => {
  const { prepared } = use({ type: 'array', items: { type: 'string' } });
  expect(hasTooManyFields(prepared, Array(50).fill('x'), prepared)).toBe(false);
  expect(hasTooManyFields(prepared, Array(10_000).fill('x'), prepared)).toBe(true);
});

test('references to nowhere, to themselves and with broken escapes are no obstacle', () => {
  for (const $ref of ['#/nowhere', '#', '#/%', '#/$defs/a', '#/constructor', '#/__proto__']) {
    const schema = { properties: { x: { $ref } }, $defs: { a: { $ref: '#/$defs/a' } } };
    const { prepared } = use(schema);
    expect(typeof typeText(prepared.properties?.x ?? {}, prepared)).toBe('string');
  }
  const circle = use({ anyOf: [{ type: 'null' }, { $ref: '#' }] });
  expect(typeof typeText(circle.prepared, circle.prepared)).toBe('string');
});

/** Numbers from a seed (mulberry32), so that what failed can be made again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A hostile schema: every keyword, often with the wrong value. */
function hostile(next: () => number, depth = 0): unknown {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(next() * items.length)] as Item;
  const list = <Item>(most: number, make: () => Item) =>
    Array.from({ length: Math.floor(next() * most) }, make);
  const inner = () => (depth > 4 ? pick([true, {}, { $ref: '#' }]) : hostile(next, depth + 1));
  const name = () =>
    pick(['a', 'b', 'c', '', '__proto__', 'constructor', 'toString', '\u202ex', '/', '~', '%']);
  const value = () =>
    pick<unknown>([
      null,
      true,
      0,
      -1,
      1e300,
      1e9,
      '',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
      [],
      {},
      [[]],
      { a: {} },
    ]);
  const members = () => Object.fromEntries(list(4, () => [name(), inner()]));
  const reference = () =>
    pick(['#', '#/$defs/a', '#/$defs/b', '#/properties/a', '#/%', '#x', 'http://x/y', '#/allOf/0']);
  const keywords: Record<string, () => unknown> = {
    $ref: reference,
    $dynamicRef: reference,
    type: () =>
      pick([
        'object',
        'array',
        'string',
        'number',
        'null',
        ['object', 'null'],
        ['string', 'array', 'object'],
        'odd',
        7,
        [],
      ]),
    title: () => pick(['A title', '\u202egpj', 7, null]),
    description: () => pick(['words', {}, 'x'.repeat(10_000)]),
    default: value,
    const: value,
    enum: () => pick<unknown>([list(5, value), 'x', list(900, value)]),
    enumNames: () => pick<unknown>([list(3, name), 7]),
    examples: () => pick<unknown>([list(3, value), 7]),
    properties: () => pick<unknown>([members(), members(), 'x', []]),
    required: () => pick<unknown>([list(5, name), 'a', [7]]),
    additionalProperties: () => pick([true, false, inner(), 'x']),
    patternProperties: members,
    items: () => pick([inner(), inner(), list(3, inner), true, 7]),
    prefixItems: () => list(3, inner),
    additionalItems: inner,
    minItems: () => pick<unknown>([0, 3, 1e9, -1, 1.5, 'x']),
    maxItems: () => pick<unknown>([0, 1e9, null]),
    uniqueItems: () => pick([true, false]),
    allOf: () => list(3, inner),
    anyOf: () => pick<unknown>([list(4, inner), {}]),
    oneOf: () => list(4, inner),
    not: inner,
    if: inner,
    then: inner,
    else: inner,
    dependentSchemas: members,
    dependencies: () => pick<unknown>([members(), { a: ['b'] }, 7]),
    pattern: () => pick<unknown>(['^(a+)+$', '(', 7]),
    format: () => pick<unknown>(['email', 'toString', 7]),
    minLength: () => 1e9,
    maxLength: () => 1e9,
    nullable: () => true,
    $defs: () => ({ a: inner(), b: inner() }),
    definitions: () => pick<unknown>([members(), 7]),
  };
  const names = Object.keys(keywords);
  return Object.fromEntries(
    list(9, () => {
      const keyword = pick(names);
      return [keyword, keywords[keyword]?.()];
    }),
  );
}

test('whatever a server declares, the window makes something bounded of it', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const schema = JSON.stringify(hostile(random(seed)));
    try {
      const { prepared, value } = use(schema);
      // Each schema becomes one part with a few keywords; the rest are its values.
      expect(sizeOf(prepared)).toBeLessThan(40 * MAX_SCHEMAS);
      expect(sizeOf(value)).toBeLessThan(40 * MAX_INITIAL);
      describeAll(prepared);
      hasTooManyFields(prepared, value, prepared);
      fits(prepared, value, prepared);
      taggedText(value);
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    }
  }
});

/** Words, titles and new items of every part that the form could draw. */
function describeAll(root: FormSchema) {
  const unseen: unknown[] = [root];
  for (let steps = 0; unseen.length > 0 && steps < 5_000; steps += 1) {
    const part = unseen.pop();
    if (typeof part !== 'object' || part === null) continue;
    unseen.push(...Object.values(part));
    if (Array.isArray(part)) continue;
    const schema = part as FormSchema;
    if (!('type' in schema || '$ref' in schema || AS_JSON in schema)) continue;
    expect(typeText(schema, root).length).toBeLessThan(2_000);
    expect(typeof titleOf(schema, 'name')).toBe('string');
    limitTexts(schema);
    expect(sizeOf(newItem(schema, root))).toBeLessThan(40 * MAX_INITIAL);
    expect(sizeOf(emptyValue(schema, root))).toBeLessThan(40 * MAX_INITIAL);
  }
}
