import { type ExactValue, isExactObject, parseExact, toPlain } from '@/lib/json/exact';
import { fromPointer } from '@/lib/json/pointer';
import { type Tagged, tag } from '@/lib/json/tagged';
import {
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  VALUE_KEYWORDS,
} from './keywords';

/** A schema in the shape that the form draws: see {@link prepareSchema}. */
export interface FormSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  default?: Tagged;
  const?: Tagged;
  enum?: Tagged[];
  enumNames?: string[];
  examples?: Tagged[];
  properties?: Record<string, FormSchema>;
  required?: string[];
  additionalProperties?: boolean | FormSchema;
  items?: FormSchema | FormSchema[];
  additionalItems?: boolean | FormSchema;
  oneOf?: FormSchema[];
  anyOf?: FormSchema[];
  allOf?: FormSchema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

/** Marks a part that has no form; its value says why, in words. It is edited as JSON. */
export const AS_JSON = 'sightglass:json';

/** Keywords whose one schema stands for a field. */
const FIELD_KEYWORDS = new Set(['additionalItems', 'additionalProperties']);

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * Turns a JSON Schema (2020-12 or draft-07) into the shape that the form draws:
 *
 * - values inside it (`default`, `const`, `enum`, `examples`) become tagged, so that their
 *   numbers stay exact;
 * - `prefixItems` becomes the older tuple form of `items`;
 * - several types in one `type` become `anyOf`;
 * - a single `patternProperties` becomes `additionalProperties`;
 * - what has no form (no type, a reference that leads nowhere) is marked {@link AS_JSON}.
 *
 * The schema is never validated against in this shape; see `validate.ts`.
 */
export function prepareSchema(text: string): FormSchema {
  const source = parseExact(text);
  if (!isExactObject(source)) return asJson(undefined, 'The schema allows any value.');
  return prepare(source, source, 'field');
}

function asJson(schema: FormSchema | undefined, reason: string): FormSchema {
  const { title, description, default: initial } = schema ?? {};
  // A type keeps the form library from guessing one.
  const prepared: FormSchema = { type: 'string', [AS_JSON]: reason };
  if (title !== undefined) prepared.title = title;
  if (description !== undefined) prepared.description = description;
  if (initial !== undefined) prepared.default = initial;
  return prepared;
}

function prepare(source: ExactValue, root: ExactValue, place: Place): FormSchema {
  if (!isExactObject(source)) return asJson(undefined, 'Any value is allowed.');
  const schema: FormSchema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (VALUE_KEYWORDS.has(keyword)) {
      schema[keyword] = tag(value);
    } else if (SCHEMA_MAP_KEYWORDS.has(keyword) && isExactObject(value)) {
      schema[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, prepare(item, root, 'field')]),
      );
    } else if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value)) {
      const inner = keyword === 'prefixItems' ? 'field' : 'branch';
      schema[keyword] = value.map((item) => prepare(item, root, inner));
    } else if (keyword === 'items') {
      schema.items = Array.isArray(value)
        ? value.map((item) => prepare(item, root, 'field'))
        : typeof value === 'boolean' && source.prefixItems !== undefined
          ? (value as unknown as FormSchema)
          : prepare(value, root, 'field');
    } else if (SCHEMA_KEYWORDS.has(keyword)) {
      schema[keyword] =
        typeof value === 'boolean'
          ? value
          : prepare(value, root, FIELD_KEYWORDS.has(keyword) ? 'field' : 'branch');
    } else if (keyword !== '$schema' && keyword !== '$id') {
      schema[keyword] = toPlain(value);
    }
  }
  return shape(schema, root, place);
}

/** Whether a schema stands for a field, or only adds to one (`if`, a member of `allOf`, …). */
type Place = 'field' | 'branch';

function shape(schema: FormSchema, root: ExactValue, place: Place): FormSchema {
  if (schema.$ref !== undefined) {
    return resolves(schema.$ref, root)
      ? schema
      : asJson(schema, `The reference ${schema.$ref} leads nowhere in this schema.`);
  }
  if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) {
    return asJson(schema, 'Dynamic references have no form.');
  }
  tuples(schema);
  maps(schema);
  if (schema.type === undefined) {
    const inferred = inferType(schema);
    if (inferred === undefined && place === 'branch') return schema;
    if (inferred === undefined) return asJson(schema, 'The schema names no type.');
    if (inferred) schema.type = inferred;
  }
  if (Array.isArray(schema.type)) severalTypes(schema);
  if (typeof schema.type === 'string' && !TYPES.includes(schema.type)) {
    return asJson(schema, `${schema.type} is not a type of JSON Schema.`);
  }
  if (schema.type === 'array' && schema.items === undefined && place === 'field') {
    schema.items = asJson(undefined, 'Any value is allowed.');
  }
  if (schema.type === 'object' && place === 'field' && !hasMembers(schema)) {
    return { ...schema, [AS_JSON]: 'Any members are allowed.' };
  }
  return schema;
}

function hasMembers(schema: FormSchema): boolean {
  return (
    schema.properties !== undefined ||
    schema.additionalProperties !== undefined ||
    schema.oneOf !== undefined ||
    schema.anyOf !== undefined ||
    schema.allOf !== undefined ||
    schema.if !== undefined
  );
}

/** A type that follows from other keywords; empty when the parts will say; undefined if none. */
function inferType(schema: FormSchema): string | undefined {
  if (schema.properties || schema.additionalProperties !== undefined || schema.required) {
    return 'object';
  }
  if (schema.items !== undefined) return 'array';
  if (schema.enum || schema.const !== undefined || schema.oneOf || schema.anyOf || schema.allOf) {
    return '';
  }
  return undefined;
}

function tuples(schema: FormSchema) {
  const prefix = schema.prefixItems;
  if (!Array.isArray(prefix)) return;
  const rest = schema.items as unknown;
  schema.items = prefix as FormSchema[];
  schema.additionalItems = rest === undefined ? false : (rest as boolean | FormSchema);
  delete schema.prefixItems;
}

function maps(schema: FormSchema) {
  const patterns = schema.patternProperties as Record<string, FormSchema> | undefined;
  if (patterns !== undefined && !isObject(schema.additionalProperties)) {
    const [only, ...others] = Object.values(patterns);
    schema.additionalProperties =
      only !== undefined && others.length === 0
        ? only
        : asJson(undefined, 'The names decide what the values are.');
  }
  delete schema.patternProperties;
  if (schema.additionalProperties === true) {
    schema.additionalProperties = asJson(undefined, 'Any value is allowed.');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `["string", "number"]` → a choice; `["string", "null"]` stays, the form knows null. */
function severalTypes(schema: FormSchema) {
  const types = schema.type as string[];
  const others = types.filter((type) => type !== 'null');
  if (others.length <= 1) {
    if (types.length === 1) schema.type = types[0];
    return;
  }
  if (schema.enum) {
    delete schema.type;
    return;
  }
  if (schema.anyOf || schema.oneOf) return;
  delete schema.type;
  schema.anyOf = types.map((type) => {
    const branch: FormSchema = { type };
    if (type === 'array') branch.items = schema.items ?? asJson(undefined, 'Any value is allowed.');
    if (type === 'object') {
      if (schema.properties) branch.properties = schema.properties;
      if (schema.required) branch.required = schema.required;
      if (schema.additionalProperties !== undefined) {
        branch.additionalProperties = schema.additionalProperties;
      }
      if (!hasMembers(branch)) branch[AS_JSON] = 'Any members are allowed.';
    }
    return branch;
  });
  delete schema.items;
  delete schema.properties;
  delete schema.required;
  delete schema.additionalProperties;
}

function resolves(reference: string, root: ExactValue): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#/')) return false;
  let current: ExactValue | undefined = root;
  for (const step of fromPointer(decodeURIComponent(reference.slice(1)))) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isExactObject(current)) current = current[step];
    else return false;
    if (current === undefined) return false;
  }
  // These move when the schema is prepared, so the reference would miss them afterwards.
  return !reference.includes('/prefixItems/') && !reference.includes('/patternProperties/');
}
