import type { Tagged } from '@/lib/json/tagged';
import type { FormSchema } from '@/lib/schema/form-schema';

/** The properties of every input. */
export interface InputProps {
  schema: FormSchema;
  value: Tagged;
  title: string;
  /** Empty for items of an array and for the parts of a union. */
  name: string;
  pointer: string;
  required: boolean;
  onChange(value: Tagged): void;
}
