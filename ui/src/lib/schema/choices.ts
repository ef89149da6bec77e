import type { Tagged } from '@/lib/json/tagged';
import { numberText, stringText, taggedText } from '@/lib/json/tagged';
import type { FormSchema } from './form-schema';

/** One value of an enumeration. */
export interface Choice {
  value: Tagged;
  label: string;
  description?: string;
}

/**
 * The values of an enumeration: `enum` (with the older `enumNames`), or `oneOf`/`anyOf` whose
 * members are each one value. Undefined when the schema is no enumeration.
 */
export function choicesOf(schema: FormSchema): Choice[] | undefined {
  if (schema.enum && schema.enum.length > 0) {
    return schema.enum.map((value, index) => {
      const title = schema.enumNames?.[index];
      return choice(value, typeof title === 'string' ? title : undefined);
    });
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (!branches || branches.length === 0) return undefined;
  const choices: Choice[] = [];
  for (const branch of branches) {
    const value = branch.const ?? (branch.enum?.length === 1 ? branch.enum[0] : undefined);
    if (value === undefined && branch.const === undefined) return undefined;
    choices.push(choice(value, branch.title, branch.description));
  }
  return choices;
}

function choice(value: Tagged, title?: string, description?: string): Choice {
  const written = writtenValue(value);
  return {
    value,
    label: title === undefined || title === written ? written : title,
    ...(description === undefined ? {} : { description }),
  };
}

/** Writes a value in short: strings without quotes, everything else as JSON. */
export function writtenValue(value: Tagged): string {
  return numberText(value) ?? stringText(value) ?? taggedText(value, 0) ?? '';
}

export function sameValue(first: Tagged, second: Tagged): boolean {
  return (
    first === second || (first !== undefined && taggedText(first, 0) === taggedText(second, 0))
  );
}
