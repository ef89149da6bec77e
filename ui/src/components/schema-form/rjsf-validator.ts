import type { ValidatorType } from '@rjsf/utils';
import type { Tagged } from '@/lib/json/tagged';
import { fits } from '@/lib/schema/fits';
import type { FormSchema } from '@/lib/schema/form-schema';

/**
 * The validator that the form library needs to tell which branch of `if`, `oneOf` or `anyOf` a
 * value is in. Violations are found by the backend, on the schema as it came.
 */
// biome-ignore lint/suspicious/noExplicitAny: the library's own signature.
export const branchValidator: ValidatorType<any, any, any> = {
  isValid: (schema, value, root) =>
    fits(schema as FormSchema, value as Tagged, root as FormSchema) === true,
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({}),
};
