import { type ExactValue, isExactObject, stringifyExact } from '@/lib/json/exact';
import { jsonPath } from './tree';

/** A predicate that a value at hand is enough for. */
export type PointedPredicate = 'equals' | 'exists' | 'type' | 'count' | 'snapshot';

/** The predicates that can be chosen before pointing at a value. */
export const POINTED: readonly { value: PointedPredicate; label: string; detail: string }[] = [
  { value: 'equals', label: 'Equals', detail: 'It is the same value' },
  { value: 'exists', label: 'Exists', detail: 'There is a value' },
  { value: 'type', label: 'Type', detail: 'It has the same type' },
  { value: 'count', label: 'Count', detail: 'It has as many elements or characters' },
  { value: 'snapshot', label: 'Snapshot', detail: 'It is as the snapshot file has it' },
];

/** The argument that a predicate takes for a value, as JSON text; null for those without. */
export function argumentOf(predicate: PointedPredicate, value: ExactValue): string | null {
  switch (predicate) {
    case 'equals':
      return stringifyExact(value, 0);
    case 'type':
      return JSON.stringify(typeOf(value));
    case 'count':
      return String(countOf(value));
    case 'exists':
    case 'snapshot':
      return null;
  }
}

function typeOf(value: ExactValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  return isExactObject(value) ? 'object' : 'number';
}

function countOf(value: ExactValue): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return [...value].length;
  return isExactObject(value) ? Object.keys(value).length : 0;
}

/** The name of a value of an error. */
export function errorValue([member, ...rest]: readonly (string | number)[]): string {
  if (member === 'data' && rest.length > 0) return `error.data${jsonPath(rest)}`;
  return `error.${member ?? 'message'}`;
}
