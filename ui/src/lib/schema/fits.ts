import { isTaggedObject, numberText, stringText, type Tagged } from '@/lib/json/tagged';
import { sameValue } from './choices';
import { AS_JSON, type FormSchema, isSchema } from './form-schema';
import { MAX_STEPS } from './limits';
import { lookUp } from './resolve';

/** One question whether a value fits. */
interface Fitting {
  root: FormSchema;
  /** The applications of a schema that are still allowed. */
  left: number;
}

/**
 * Tells whether a form's value is as a prepared part of a schema says, to find out the branch of
 * `if`, `oneOf` or `anyOf` that it is in; undefined where that takes more steps than the thread that
 * draws has time for. What is wrong with a value the backend says, by the schema as it came.
 *
 * What tells no branches apart is left aside, and `pattern`, whose check has no bound: one of a
 * server's against a default of the same server's can take hours.
 */
export function fits(schema: FormSchema, value: Tagged, root: FormSchema): boolean | undefined {
  if (value === undefined) return false;
  try {
    return conforms({ root, left: MAX_STEPS }, schema, value);
  } catch (reason) {
    // Out of steps, or of the engine's stack.
    if (reason instanceof RangeError) return undefined;
    throw reason;
  }
}

function conforms(fitting: Fitting, schema: unknown, value: Tagged): boolean {
  fitting.left -= 1;
  if (fitting.left < 0) throw new RangeError('too many steps');
  if (!isSchema(schema)) return schema !== false;
  if (AS_JSON in schema) return schema.type !== 'object' || isTaggedObject(value);
  const holds = (part: unknown) => conforms(fitting, part, value);
  const { $ref, type, const: constant, enum: choices, allOf, anyOf, oneOf } = schema;
  fitting.left -= choices?.length ?? 0;
  return (
    ($ref === undefined || holds(lookUp($ref, fitting.root) ?? false)) &&
    (type === undefined || [type].flat().some((name) => isOf(name, value))) &&
    (constant === undefined || equals(constant, value)) &&
    (choices === undefined || choices.some((choice) => equals(choice, value))) &&
    (allOf === undefined || allOf.every(holds)) &&
    (anyOf === undefined || anyOf.some(holds)) &&
    (oneOf === undefined || oneOf.filter(holds).length === 1) &&
    (schema.not === undefined || !holds(schema.not)) &&
    (schema.if === undefined || holds((holds(schema.if) ? schema.then : schema.else) ?? true)) &&
    isWithinLimits(schema, value) &&
    (!Array.isArray(value) || itemsConform(fitting, schema, value)) &&
    (!isTaggedObject(value) || membersConform(fitting, schema, value))
  );
}

function itemsConform(fitting: Fitting, schema: FormSchema, values: readonly Tagged[]): boolean {
  const { items, additionalItems, contains } = schema;
  const conform = (part: unknown) => (value: Tagged) => conforms(fitting, part, value ?? null);
  return (
    values.every((value, index) =>
      conform((Array.isArray(items) ? (items[index] ?? additionalItems) : items) ?? true)(value),
    ) &&
    (contains === undefined || values.some(conform(contains)))
  );
}

function membersConform(
  fitting: Fitting,
  schema: FormSchema,
  value: { [name: string]: Tagged },
): boolean {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
  const isGiven = (name: string) => Object.hasOwn(value, name) && value[name] !== undefined;
  const dependent = Object.entries({
    ...(schema.dependencies as object),
    ...(schema.dependentRequired as object),
    ...(schema.dependentSchemas as object),
  });
  return (
    required.every(isGiven) &&
    Object.keys(value)
      .filter(isGiven)
      .every(
        (name) =>
          conforms(fitting, propertyNames ?? true, name) &&
          conforms(
            fitting,
            Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
            value[name],
          ),
      ) &&
    dependent.every(
      ([name, part]) =>
        !isGiven(name) ||
        (Array.isArray(part) ? part.every(isGiven) : conforms(fitting, part, value)),
    )
  );
}

/** Limits of numbers, and of lengths. */
function isWithinLimits(schema: FormSchema, value: Tagged): boolean {
  const number = Number(numberText(value));
  // No limit is not a number, with which no comparison holds.
  const limit = (keyword: string) => Number(numberText(schema[keyword] as Tagged));
  const has = (length: number, noun: string) =>
    !(length < limit(`min${noun}`) || length > limit(`max${noun}`));
  return (
    !(number < limit('minimum') || number > limit('maximum')) &&
    !(number <= limit('exclusiveMinimum') || number >= limit('exclusiveMaximum')) &&
    has(stringText(value)?.length ?? Number.NaN, 'Length') &&
    has(Array.isArray(value) ? value.length : Number.NaN, 'Items') &&
    has(isTaggedObject(value) ? Object.keys(value).length : Number.NaN, 'Properties')
  );
}

function isOf(type: string, value: Tagged): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isTaggedObject(value);
    case 'number':
      return numberText(value) !== undefined;
    case 'integer':
      return Number.isInteger(Number(numberText(value)));
    default:
      return stringText(value) !== undefined;
  }
}

function equals(one: Tagged, other: Tagged): boolean {
  return sameValue(one, other) || Number(numberText(one)) === Number(numberText(other));
}
