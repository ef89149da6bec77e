import { isTaggedObject, type Tagged, taggedText } from '@/lib/json/tagged';
import { AS_JSON, type FormSchema } from './form-schema';
import { MAX_INITIAL, MAX_INITIAL_STEPS } from './limits';
import { prepareSchema } from './prepare';
import { resolveSchema } from './resolve';

/** Levels of required members that are made before the rest waits for the user to ask for it. */
const MAX_DEPTH = 6;

/** Items that an array starts with at most, however many it needs. */
const MAX_ITEMS = 20;

/**
 * The cost that one initial value may still have: a schema can ask for 20 items at each of many
 * levels.
 */
interface Budget {
  items: number;
  steps: number;
}

const fullBudget = (): Budget => ({ items: MAX_INITIAL, steps: MAX_INITIAL_STEPS });

/** Returns what a form for a schema begins with, as text; of a schema that cannot be read, nothing. */
export function initialText(schema: string): string {
  try {
    const prepared = prepareSchema(schema);
    return taggedText(initialValue(prepared, prepared)) ?? '{}';
  } catch {
    return '{}';
  }
}

/**
 * The value that a form starts from: defaults wherever the schema gives one, required objects
 * and arrays so that their fields can be seen, required constants; everything else is absent.
 * Undefined when nothing is known of the value.
 */
export function initialValue(schema: FormSchema, root: FormSchema): Tagged {
  return initial(schema, root, 0, fullBudget());
}

/** The value that "Add item" adds: an array has no place for an absent one. */
export function newItem(schema: FormSchema, root: FormSchema): Tagged {
  return item(schema, root, 0, fullBudget());
}

/** The simplest value of a type, where one has to be there. */
export function emptyValue(schema: FormSchema, root: FormSchema): Tagged {
  return empty(schema, root, 0, fullBudget());
}

function initial(schema: FormSchema, root: FormSchema, depth: number, budget: Budget): Tagged {
  budget.steps -= 1;
  if (budget.steps < 0) return undefined;
  const resolved = resolveSchema(schema, root);
  if (resolved.default !== undefined) {
    return completed(resolved.default, resolved, root, depth, budget);
  }
  if (resolved.const !== undefined) return resolved.const;
  if (depth > MAX_DEPTH) return undefined;
  if (AS_JSON in resolved) return resolved.type === 'object' ? {} : undefined;
  if (resolved.type === 'object' || resolved.properties || resolved.allOf) {
    return completed({}, resolved, root, depth, budget);
  }
  if (resolved.type === 'array') return initialItems(resolved, root, depth, budget);
  return undefined;
}

/** An object with what its schema requires or presets, over what is there already. */
function completed(
  value: Tagged,
  schema: FormSchema,
  root: FormSchema,
  depth: number,
  budget: Budget,
): Tagged {
  if (!isTaggedObject(value) || depth > MAX_DEPTH) return value;
  const members = { ...value };
  const required = new Set(requiredOf(schema));
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    const resolved = resolveSchema(part, root);
    const wanted = part === schema ? required : new Set([...required, ...requiredOf(resolved)]);
    for (const [name, property] of Object.entries(resolved.properties ?? {})) {
      budget.steps -= 1;
      if (budget.steps < 0) return members;
      if (members[name] !== undefined) continue;
      if (budget.items <= 0) return members;
      const found = wanted.has(name)
        ? initial(property, root, depth + 1, budget)
        : preset(property, root, depth + 1, budget);
      if (found === undefined) continue;
      budget.items -= 1;
      members[name] = found;
    }
  }
  return members;
}

/** The default of an optional member, if it has one. */
function preset(schema: FormSchema, root: FormSchema, depth: number, budget: Budget): Tagged {
  const resolved = resolveSchema(schema, root);
  return resolved.default === undefined ? undefined : initial(resolved, root, depth, budget);
}

function initialItems(
  schema: FormSchema,
  root: FormSchema,
  depth: number,
  budget: Budget,
): Tagged[] {
  const { items } = schema;
  const least = typeof schema.minItems === 'number' ? Math.max(0, schema.minItems) : undefined;
  const made: Tagged[] = [];
  const add = (part: FormSchema) => {
    budget.items -= 1;
    if (budget.items < 0 || budget.steps < 0) return false;
    made.push(item(part, root, depth + 1, budget));
    return true;
  };
  if (Array.isArray(items)) {
    for (const part of items.slice(0, least ?? items.length)) if (!add(part)) break;
    return made;
  }
  // The user chooses the members of a set; a list starts with the fields it needs at least.
  if (items === undefined || schema.uniqueItems) return made;
  while (made.length < Math.min(least ?? 0, MAX_ITEMS) && add(items));
  return made;
}

function item(schema: FormSchema, root: FormSchema, depth: number, budget: Budget): Tagged {
  return initial(schema, root, depth, budget) ?? empty(schema, root, depth, budget);
}

function empty(schema: FormSchema, root: FormSchema, depth: number, budget: Budget): Tagged {
  budget.steps -= 1;
  const resolved = resolveSchema(schema, root);
  if (resolved.enum?.[0] !== undefined) return resolved.enum[0];
  const branch = resolved.oneOf?.[0] ?? resolved.anyOf?.[0];
  if (branch && depth <= MAX_DEPTH && budget.steps >= 0)
    return item(branch, root, depth + 1, budget);
  switch (Array.isArray(resolved.type) ? resolved.type[0] : resolved.type) {
    case 'object':
      return {};
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'string':
      return AS_JSON in resolved ? null : '';
    default:
      return null;
  }
}

function requiredOf(schema: FormSchema): readonly string[] {
  return Array.isArray(schema.required) ? schema.required : [];
}
