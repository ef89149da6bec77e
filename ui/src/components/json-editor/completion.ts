import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { ExactValue } from '@/lib/json/exact';
import { isExactObject, readExact, stringifyExact } from '@/lib/json/exact';
import { valueAt } from '@/lib/schema/resolve';
import { visibleText } from '@/lib/visible-text';
import { placeAt } from './syntax';

/** Offers the names and values that a schema knows. */
export function schemaCompletion(schemaText: string) {
  const root = readExact(schemaText);
  return (context: CompletionContext): CompletionResult | null => {
    const place = root === undefined ? undefined : placeAt(context.state, context.pos);
    if (!place || root === undefined) return null;
    if (!context.explicit && place.range.from === context.pos) return null;
    const schemas = schemasAt(root, place.path);
    const options =
      place.kind === 'name' ? nameOptions(schemas, root, place.taken) : valueOptions(schemas);
    if (options.length === 0) return null;
    return { from: place.range.from, to: place.range.to, options, filter: true };
  };
}

type Members = { [key: string]: ExactValue };

/** Schemas that are gone through for what one place can be. */
const MAX_PARTS = 1_000;
/** Names or values that are offered. */
const MAX_OPTIONS = 1_000;

/** Schemas and everything they are made of: references, `allOf`, alternatives; each once. */
function expand(schemas: readonly (ExactValue | undefined)[], root: ExactValue): Members[] {
  const parts = new Set<Members>();
  const unseen = schemas.toReversed();
  while (unseen.length > 0 && parts.size < MAX_PARTS) {
    const schema = unseen.pop();
    if (!isExactObject(schema) || parts.has(schema)) continue;
    parts.add(schema);
    const inner: (ExactValue | undefined)[] = [];
    if (typeof schema.$ref === 'string') inner.push(valueAt(schema.$ref, root));
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = schema[keyword];
      if (Array.isArray(list)) inner.push(...list.slice(0, MAX_PARTS));
    }
    unseen.push(...inner.reverse());
  }
  return [...parts];
}

function schemasAt(root: ExactValue, path: (string | number)[]): Members[] {
  let schemas = expand([root], root);
  for (const step of path) {
    schemas = expand(
      schemas.map((schema) => inside(schema, step)),
      root,
    );
  }
  return schemas;
}

function inside(schema: Members, step: string | number): ExactValue | undefined {
  if (typeof step === 'number') {
    const { prefixItems, items } = schema;
    if (Array.isArray(prefixItems) && step < prefixItems.length) return prefixItems[step];
    return Array.isArray(items) ? items[step] : items;
  }
  const { properties, additionalProperties } = schema;
  return (isExactObject(properties) ? properties[step] : undefined) ?? additionalProperties;
}

function nameOptions(schemas: Members[], root: ExactValue, taken: string[]): Completion[] {
  const options = new Map<string, Completion>();
  for (const { properties, required } of schemas) {
    if (!isExactObject(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      if (options.size >= MAX_OPTIONS) return [...options.values()];
      if (taken.includes(name) || options.has(name)) continue;
      const parts = expand([property], root);
      const type = parts.map((part) => part.type).find((found) => found !== undefined);
      const isRequired = Array.isArray(required) && required.includes(name);
      options.set(name, {
        label: visibleText(JSON.stringify(name)),
        apply: `${JSON.stringify(name)}: `,
        type: 'property',
        detail: [type && [type].flat().join(' or '), isRequired && 'required']
          .filter(Boolean)
          .join(' · '),
        boost: isRequired ? 1 : 0,
      });
    }
  }
  return [...options.values()];
}

function valueOptions(schemas: Members[]): Completion[] {
  const options = new Map<string, Completion>();
  const add = (value: ExactValue, detail?: string) => {
    const text = stringifyExact(value, 0);
    if (options.has(text) || options.size >= MAX_OPTIONS) return;
    options.set(text, {
      label: visibleText(text),
      apply: text,
      type: 'enum',
      ...(detail ? { detail: visibleText(detail) } : {}),
    });
  };
  for (const schema of schemas) {
    const title = typeof schema.title === 'string' ? schema.title : undefined;
    if (schema.const !== undefined) add(schema.const, title);
    if (Array.isArray(schema.enum)) for (const value of schema.enum) add(value);
    if (schema.default !== undefined) add(schema.default, 'default');
    if (Array.isArray(schema.examples)) for (const value of schema.examples) add(value, 'example');
    const types = [schema.type].flat();
    if (types.includes('boolean')) for (const value of [true, false]) add(value);
    if (types.includes('null')) add(null);
  }
  return [...options.values()];
}
