import type { Tagged } from '@/lib/json/tagged';
import { isObject } from '@/lib/objects';

/** A schema in the shape that the form draws: see `prepareSchema`. */
export interface FormSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  default?: Tagged;
  const?: Tagged;
  enum?: Tagged[];
  enumNames?: string[];
  examples?: Tagged[];
  properties?: Record<string, FormSchema>;
  required?: string[];
  additionalProperties?: boolean | FormSchema;
  items?: FormSchema | FormSchema[];
  additionalItems?: boolean | FormSchema;
  oneOf?: FormSchema[];
  anyOf?: FormSchema[];
  allOf?: FormSchema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

/** Tells whether a value is a schema with keywords, and none of the two that are a boolean. */
export const isSchema = (value: unknown): value is FormSchema => isObject(value);

/** Marks a part that has no form; its value says why. It is edited as JSON. */
export const AS_JSON = 'sightglass:json';
