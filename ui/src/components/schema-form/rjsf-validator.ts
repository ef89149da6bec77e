import { type Schema, Validator } from '@cfworker/json-schema';
import type { ValidatorType } from '@rjsf/utils';
import { toPlain } from '@/lib/json/exact';
import { type Tagged, untag } from '@/lib/json/tagged';
import { isQuicklyChecked } from '@/lib/schema/budget';
import { AS_JSON, type FormSchema } from '@/lib/schema/form-schema';
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from '@/lib/schema/keywords';

/**
 * The validator that the form library needs to tell which branch of `if`, `oneOf` or `anyOf` a
 * value is in. Violations are found by `SchemaChecker` on the schema as it came, so nothing else is
 * done here. No code is generated, as the content-security policy demands.
 */
// biome-ignore lint/suspicious/noExplicitAny: the library's own signature.
export const branchValidator: ValidatorType<any, any, any> = {
  isValid: (schema, value, root) => fits(schema as FormSchema, value as Tagged, root as FormSchema),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({}),
};

/** Tells whether a form's value is as a prepared schema says. */
export function fits(schema: FormSchema, value: Tagged, root: FormSchema): boolean {
  const exact = untag(value);
  if (exact === undefined || !isQuicklyChecked(schema, value, root)) return false;
  try {
    const plain = plainSchema(schema) as Schema;
    const { $defs, definitions } = plainSchema({
      $defs: root.$defs,
      definitions: root.definitions,
    }) as Schema;
    const whole = {
      ...($defs ? { $defs } : {}),
      ...(definitions ? { definitions } : {}),
      ...plain,
    };
    return new Validator(whole, '2019-09', true).validate(toPlain(exact)).valid;
  } catch {
    // A reference that the part alone cannot resolve: the branch is then not told apart.
    return false;
  }
}

/**
 * Keywords that say nothing of the branch, or whose check has no bound on the thread that draws:
 * a pattern of a server's against a default of the same server's can take hours.
 */
const LEFT_ASIDE = new Set(['default', 'examples', 'format', 'pattern', 'uniqueItems']);

/** A prepared schema with plain values again. */
function plainSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  if (AS_JSON in schema) return (schema as FormSchema).type === 'object' ? { type: 'object' } : {};
  const plain: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || LEFT_ASIDE.has(keyword)) continue;
    if (keyword === 'const' || keyword === 'enum') {
      plain[keyword] = toPlain(untag(value as Tagged) ?? null);
    } else if (SCHEMA_MAP_KEYWORDS.has(keyword)) {
      plain[keyword] = Object.fromEntries(
        Object.entries(value as object).map(([name, inner]) => [name, plainSchema(inner)]),
      );
    } else if (SCHEMA_LIST_KEYWORDS.has(keyword) || (keyword === 'items' && Array.isArray(value))) {
      plain[keyword] = (value as unknown[]).map(plainSchema);
    } else if (SCHEMA_KEYWORDS.has(keyword) || keyword === 'items') {
      plain[keyword] = plainSchema(value);
    } else {
      plain[keyword] = value;
    }
  }
  return plain;
}
