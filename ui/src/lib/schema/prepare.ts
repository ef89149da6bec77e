import { type ExactValue, isExactObject, parseExact, toPlain } from '@/lib/json/exact';
import { tag } from '@/lib/json/tagged';
import { isObject } from '@/lib/objects';
import { AS_JSON, type FormSchema } from './form-schema';
import {
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  VALUE_KEYWORDS,
} from './keywords';
import { LEFT_OUT, MAX_CHOICES, MAX_MEMBERS, MAX_NESTING, MAX_SCHEMAS } from './limits';
import { valueAt } from './resolve';

/** Keywords whose one schema stands for a field. */
const FIELD_KEYWORDS = new Set(['additionalItems', 'additionalProperties']);

/** Characters of a title or a description that are shown. */
const MAX_TEXT_LENGTH = 4_000;

/** Keywords that hold a number to compare numbers with. */
const NUMBER_LIMITS = new Set([
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maximum',
  'minimum',
  'multipleOf',
]);

const isText = (value: ExactValue) => typeof value === 'string';
const isList = (value: ExactValue) => Array.isArray(value);
const isMembers = (value: ExactValue) => isExactObject(value);

/** The form of each keyword; a server that writes something else there means nothing by it. */
const WELL_FORMED: Record<string, (value: ExactValue) => boolean> = {
  $defs: isMembers,
  $ref: isText,
  allOf: isList,
  anyOf: isList,
  contentEncoding: isText,
  definitions: isMembers,
  dependencies: isMembers,
  dependentSchemas: isMembers,
  description: isText,
  enum: isList,
  enumNames: isList,
  examples: isList,
  format: isText,
  items: (value) => typeof value === 'boolean' || isList(value) || isMembers(value),
  oneOf: isList,
  pattern: isText,
  patternProperties: isMembers,
  prefixItems: isList,
  properties: isMembers,
  required: isList,
  title: isText,
  type: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every(isText)),
};

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * Turns a JSON Schema (2020-12 or draft-07) into the shape that the form draws:
 *
 * - values inside it (`default`, `const`, `enum`, `examples`) become tagged, so that their
 *   numbers stay exact;
 * - `prefixItems` becomes the older tuple form of `items`;
 * - several types in one `type` become `anyOf`;
 * - a single `patternProperties` becomes `additionalProperties`;
 * - what has no form (no type, a reference that leads nowhere) is marked {@link AS_JSON};
 * - what is too large for a form is, too, or is shortened, and says so in {@link LEFT_OUT}.
 *
 * The schema is never validated against in this shape; the backend checks it as it came.
 */
export function prepareSchema(text: string): FormSchema {
  const source = parseExact(text);
  if (!isExactObject(source)) return asJson(undefined, 'The schema allows any value.');
  return prepare(source, { root: source, schemas: 0, depth: 0 }, 'field');
}

/** The state of one preparation. */
interface Progress {
  root: ExactValue;
  schemas: number;
  /** The number of schemas that the present one is inside. */
  depth: number;
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

/** A part that is too large for a form. */
function tooLarge(reason: string): FormSchema {
  return { ...asJson(undefined, reason), [LEFT_OUT]: `${reason} Edit it as JSON.` };
}

function prepare(source: ExactValue, progress: Progress, place: Place): FormSchema {
  if (!isExactObject(source)) return asJson(undefined, 'Any value is allowed.');
  progress.schemas += 1;
  if (progress.schemas > MAX_SCHEMAS) return tooLarge('The schema is too long for a form.');
  if (progress.depth > MAX_NESTING) return tooLarge('This is nested too deeply for a form.');
  const members = isExactObject(source.properties) ? Object.keys(source.properties).length : 0;
  if (members > MAX_MEMBERS) {
    return tooLarge(`This has ${counted(members)} members, too many for a form.`);
  }
  const root = progress.root;
  const inside = (value: ExactValue, inner: Place) => {
    progress.depth += 1;
    const prepared = prepare(value, progress, inner);
    progress.depth -= 1;
    return prepared;
  };
  const schema: FormSchema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (!(WELL_FORMED[keyword]?.(value) ?? true)) continue;
    if (keyword === 'enum' && Array.isArray(value) && value.length > MAX_CHOICES) {
      const choices = `One of ${counted(value.length)} values, too many for a list.`;
      if (!value.every((choice) => typeof choice === 'string')) return tooLarge(choices);
      schema.type = 'string';
      schema[LEFT_OUT] = choices;
    } else if (VALUE_KEYWORDS.has(keyword)) {
      schema[keyword] = tag(value);
    } else if (SCHEMA_MAP_KEYWORDS.has(keyword) && isExactObject(value)) {
      schema[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, inside(item, 'field')]),
      );
    } else if (keyword === 'dependencies' && isExactObject(value)) {
      // Names of members, or a schema (JSON Schema draft-07, section 6.5.7).
      schema.dependencies = Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          Array.isArray(item) ? item.filter(isText) : inside(item, 'branch'),
        ]),
      );
    } else if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value)) {
      if (value.length > MAX_CHOICES) {
        return tooLarge(`This has ${counted(value.length)} alternatives, too many for a form.`);
      }
      const inner = keyword === 'prefixItems' ? 'field' : 'branch';
      schema[keyword] = value.map((item) => inside(item, inner));
    } else if (keyword === 'items') {
      schema.items = Array.isArray(value)
        ? value.slice(0, MAX_MEMBERS).map((item) => inside(item, 'field'))
        : typeof value === 'boolean' && source.prefixItems !== undefined
          ? (value as unknown as FormSchema)
          : inside(value, 'field');
    } else if (SCHEMA_KEYWORDS.has(keyword)) {
      schema[keyword] =
        typeof value === 'boolean'
          ? value
          : inside(value, FIELD_KEYWORDS.has(keyword) ? 'field' : 'branch');
    } else if (keyword === 'type' && schema[LEFT_OUT] !== undefined) {
      // The values of the enumeration that was left out say more.
    } else if (keyword === 'required' && Array.isArray(value)) {
      schema.required = value.slice(0, 2 * MAX_MEMBERS).filter((name) => typeof name === 'string');
    } else if ((keyword === 'title' || keyword === 'description') && typeof value === 'string') {
      schema[keyword] =
        value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
    } else if (keyword !== '$schema' && keyword !== '$id' && keyword !== '__proto__') {
      // Limits of numbers are told digit by digit.
      schema[keyword] = NUMBER_LIMITS.has(keyword) ? tag(value) : toPlain(value);
    }
  }
  judgeGiven(schema);
  return shape(schema, root, place);
}

/**
 * Lets a condition on required members hold only where these are given: an absent one fits every
 * condition, and the form would ask for what follows before anything decided it. With an `else` it
 * stays, which would hold in that case.
 */
function judgeGiven(schema: FormSchema): void {
  const { if: condition, required = [] } = schema;
  if (!isObject(condition) || schema.else !== undefined || !isObject(condition.properties)) return;
  const decides = Object.keys(condition.properties).filter((name) => required.includes(name));
  const known = Array.isArray(condition.required) ? condition.required : [];
  schema.if = { ...condition, required: [...new Set([...known, ...decides])] } as FormSchema;
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/**
 * The role of a schema: it stands for a field, or only adds to one (`if`, a member of `allOf`, …).
 */
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
  const found = valueAt(reference, root);
  if (!isExactObject(found) && typeof found !== 'boolean') return false;
  return !reference.includes('/prefixItems/') && !reference.includes('/patternProperties/');
}
