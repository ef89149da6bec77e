import { isTaggedObject, type Tagged } from '@/lib/json/tagged';
import { AS_JSON, type FormSchema } from './prepare';
import { resolveSchema } from './resolve';

/** How deep required members are made before the rest waits for the person to ask for it. */
const DEPTH = 6;

/**
 * What a form starts from: defaults wherever the schema gives one, required objects and
 * arrays so that their fields can be seen, required constants; everything else is absent.
 * Undefined when nothing is known of the value.
 */
export function initialValue(schema: FormSchema, root: FormSchema, depth = 0): Tagged {
  const resolved = resolveSchema(schema, root);
  if (resolved.default !== undefined) return completed(resolved.default, resolved, root, depth);
  if (resolved.const !== undefined) return resolved.const;
  if (depth > DEPTH) return undefined;
  if (AS_JSON in resolved) return resolved.type === 'object' ? {} : undefined;
  if (resolved.type === 'object' || resolved.properties || resolved.allOf) {
    return completed({}, resolved, root, depth);
  }
  if (resolved.type === 'array') return initialItems(resolved, root, depth);
  return undefined;
}

/** An object with what its schema requires or presets, over what is there already. */
function completed(value: Tagged, schema: FormSchema, root: FormSchema, depth: number): Tagged {
  if (!isTaggedObject(value)) return value;
  const members = { ...value };
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    const resolved = resolveSchema(part, root);
    for (const [name, property] of Object.entries(resolved.properties ?? {})) {
      if (members[name] !== undefined) continue;
      const wanted = isRequired(schema, name) || isRequired(resolved, name);
      const initial = wanted
        ? initialValue(property, root, depth + 1)
        : presetValue(property, root, depth + 1);
      if (initial !== undefined) members[name] = initial;
    }
  }
  return members;
}

/** The default of an optional member, if it has one. */
function presetValue(schema: FormSchema, root: FormSchema, depth: number): Tagged {
  const resolved = resolveSchema(schema, root);
  return resolved.default === undefined ? undefined : initialValue(resolved, root, depth);
}

function initialItems(schema: FormSchema, root: FormSchema, depth: number): Tagged[] {
  const { items } = schema;
  if (Array.isArray(items)) {
    const wanted = items.slice(0, schema.minItems ?? items.length);
    return wanted.map((item) => initialValue(item, root, depth + 1) ?? emptyValue(item, root));
  }
  // A person chooses the members of a set; a list starts with the fields it needs at least.
  if (items === undefined || schema.uniqueItems) return [];
  return Array.from({ length: Math.min(schema.minItems ?? 0, 20) }, () => newItem(items, root));
}

/** What "Add item" adds: an array has no place for an absent value. */
export function newItem(schema: FormSchema, root: FormSchema): Tagged {
  return initialValue(schema, root) ?? emptyValue(schema, root);
}

/** The simplest value of a type, where one has to be there. */
export function emptyValue(schema: FormSchema, root: FormSchema): Tagged {
  const resolved = resolveSchema(schema, root);
  if (resolved.enum?.[0] !== undefined) return resolved.enum[0];
  const branch = resolved.oneOf?.[0] ?? resolved.anyOf?.[0];
  if (branch) return newItem(branch, root);
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

export function isRequired(schema: FormSchema, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}
