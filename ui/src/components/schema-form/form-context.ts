import { createContext, useContext } from 'react';
import type { Tagged } from '@/lib/json/tagged';
import type { FormSchema } from '@/lib/schema/form-schema';
import type { Violation } from '@/lib/schema/violation';

export type FieldPath = readonly (string | number)[];

/** Data that all fields of one form share. */
export interface FormContextValue {
  /** The whole value. */
  value: Tagged;
  root: FormSchema;
  /** The violations of the schema, by JSON pointer. */
  violations: ReadonlyMap<string, Violation[]>;
  change(path: FieldPath, value: Tagged): void;
  /** A part is, or is no longer, text that is not JSON. */
  setUnreadable(pointer: string, problem: string | undefined): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error('A field needs a SchemaForm around it');
  return form;
}
