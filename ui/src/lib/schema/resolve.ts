import { fromPointer } from '@/lib/json/pointer';
import type { FormSchema } from './form-schema';

/** Follows `$ref`s (RFC 6901 fragments only); members beside a `$ref` win over its target. */
export function resolveSchema(schema: FormSchema, root: FormSchema): FormSchema {
  let current = schema;
  for (let step = 0; current.$ref !== undefined && step < 32; step++) {
    const { $ref, ...beside } = current;
    const target = lookUp($ref, root);
    if (target === undefined) return beside;
    current = { ...target, ...beside };
  }
  return current;
}

/** Returns the target of a reference within the schema. */
export function lookUp(reference: string, root: FormSchema): FormSchema | undefined {
  const found = valueAt(reference, root);
  return typeof found === 'object' && found !== null ? (found as FormSchema) : undefined;
}

/** Returns what a reference leads to, in a schema of any form. */
export function valueAt<Value>(reference: string, root: Value): Value | undefined {
  let current: unknown = root;
  for (const step of stepsOf(reference)) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (!Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current as Value | undefined;
}

/** The steps of a reference such as `#/$defs/name`. */
function stepsOf(reference: string): string[] {
  const pointer = reference.replace(/^#/, '');
  try {
    return fromPointer(decodeURIComponent(pointer));
  } catch {
    // An escape that is none is meant as it stands.
    return fromPointer(pointer);
  }
}

/** The schema without its null alternative, when null is one of several. */
export function withoutNull(schema: FormSchema): FormSchema | undefined {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((type) => type !== 'null');
    const rest: FormSchema = { ...schema, type: types.length === 1 ? types[0] : types };
    if (rest.enum) rest.enum = rest.enum.filter((value) => value !== null);
    return types.length > 0 ? rest : undefined;
  }
  if (schema.nullable === true) {
    const { nullable: _, ...rest } = schema;
    return rest;
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    const others = branches?.filter((branch) => branch.type !== 'null' && branch.const !== null);
    if (!branches || !others || others.length === branches.length || others.length === 0) continue;
    const { [keyword]: _, ...rest } = schema;
    const [only] = others;
    return others.length === 1 && only ? { ...only, ...rest } : { ...rest, [keyword]: others };
  }
  return undefined;
}
