import type { Tagged } from '@/lib/json/tagged';
import { choicesOf } from './choices';
import { type FormSchema, isSchema } from './form-schema';
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from './keywords';
import { MAX_CHOICES, MAX_EXPANDED, MAX_FIELDS, MAX_MEMBERS, MAX_NESTING } from './limits';
import { lookUp, resolveSchema } from './resolve';

/**
 * Returns the reason why a prepared schema has no form; undefined when it has one. The form library
 * follows every reference until it comes back to itself, so a schema whose parts name each other
 * twice doubles with each level.
 */
export function tooLargeForForm(root: FormSchema): string | undefined {
  interface Node {
    schema: FormSchema;
    depth: number;
    /** The references that lead here. */
    trail: Trail | undefined;
  }
  interface Trail {
    target: FormSchema;
    before: Trail | undefined;
  }
  const unseen: Node[] = [{ schema: root, depth: 0, trail: undefined }];
  let count = 0;
  for (let node = unseen.pop(); node !== undefined; node = unseen.pop()) {
    const { schema, depth, trail } = node;
    count += 1;
    if (count > MAX_EXPANDED) return `it stands for more than ${MAX_EXPANDED} parts`;
    if (depth > 3 * MAX_NESTING) return 'its parts are nested too deeply';
    if (isLong(schema)) return 'one of its parts is too long';
    if (schema.$ref !== undefined) {
      const target = lookUp(schema.$ref, root);
      let known = trail;
      while (known !== undefined && known.target !== target) known = known.before;
      if (target !== undefined && known === undefined) {
        unseen.push({ schema: target, depth: depth + 1, trail: { target, before: trail } });
      }
    }
    for (const part of partsOf(schema)) unseen.push({ schema: part, depth: depth + 1, trail });
  }
  return undefined;
}

/** Tells whether a part has a list that the form cannot draw; prepared parts never have. */
function isLong({ properties, enum: values, oneOf, anyOf }: FormSchema): boolean {
  return (
    (values?.length ?? 0) > MAX_CHOICES ||
    (oneOf?.length ?? 0) > MAX_CHOICES ||
    (anyOf?.length ?? 0) > MAX_CHOICES ||
    Object.keys(properties ?? {}).length > MAX_MEMBERS
  );
}

/** The schemas directly inside one, without its definitions. */
function partsOf(schema: FormSchema): FormSchema[] {
  const parts: unknown[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$defs' || keyword === 'definitions') continue;
    if (SCHEMA_KEYWORDS.has(keyword)) parts.push(value);
    else if (SCHEMA_LIST_KEYWORDS.has(keyword) || keyword === 'items') parts.push(value);
    else if (isSchema(value) && (SCHEMA_MAP_KEYWORDS.has(keyword) || keyword === 'dependencies')) {
      for (const name in value) parts.push(value[name]);
    }
  }
  return parts.flat().filter(isSchema);
}

/**
 * Tells whether a form of `schema` that holds `value` has more fields than can be drawn at once.
 */
export function hasTooManyFields(schema: FormSchema, value: Tagged, root: FormSchema): boolean {
  const unseen: { schema: FormSchema; value: Tagged; depth: number }[] = [
    { schema, value, depth: 0 },
  ];
  let fields = 0;
  for (let node = unseen.pop(); node !== undefined; node = unseen.pop()) {
    fields += 1;
    if (fields > MAX_FIELDS) return true;
    const { value: held, depth } = node;
    const resolved = resolveSchema(node.schema, root);
    if (typeof held !== 'object' || held === null || depth > MAX_NESTING) continue;
    if (choicesOf(resolved) !== undefined) continue;
    const inside = (part: FormSchema | undefined, item: Tagged) =>
      unseen.push({ schema: part ?? {}, value: item, depth: depth + 1 });
    if (Array.isArray(held)) {
      const { items } = resolved;
      fields += Math.max(0, held.length - MAX_FIELDS);
      for (const [index, item] of held.slice(0, MAX_FIELDS).entries()) {
        inside(Array.isArray(items) ? items[index] : items, item);
      }
      continue;
    }
    const properties = resolved.properties ?? {};
    const names = new Set([...Object.keys(properties), ...Object.keys(held)]);
    for (const name of names) inside(properties[name], held[name]);
    // Of alternatives one is drawn, of the members of allOf all are.
    const shared = resolved.allOf ?? [];
    const largest = (resolved.oneOf ?? resolved.anyOf ?? []).reduce<FormSchema | undefined>(
      (most, branch) =>
        membersOf(branch, root) > (most ? membersOf(most, root) : -1) ? branch : most,
      undefined,
    );
    for (const part of largest ? [...shared, largest] : shared) inside(part, held);
  }
  return false;
}

function membersOf(schema: FormSchema, root: FormSchema): number {
  return Object.keys(resolveSchema(schema, root).properties ?? {}).length;
}
