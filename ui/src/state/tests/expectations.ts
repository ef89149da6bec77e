import type { ExpectationDraft } from '@/backend/bindings';
import { type ExactValue, isExactObject, stringifyExact } from '@/lib/json/exact';

/** A place in an answer: the members and indices that lead to it. */
type Path = readonly (string | number)[];

/** The part of an answer that a path begins in. */
export type AnswerPart = 'result' | 'error';

/** Something that can be expected of a value at hand. */
export interface Expectable {
  title: string;
  draft: ExpectationDraft;
}

/** Characters of a value that its title shows. */
const MAX_SHOWN = 40;

/** Returns what can be expected of a value of an answer; what is meant most often comes first. */
export function expectationsOf(part: AnswerPart, path: Path, value: ExactValue): Expectable[] {
  const place = part === 'error' ? errorValue(path) : jsonPath(path);
  const of = (title: string, is: string, to: string | null): Expectable => ({
    title,
    draft: { value: place, is, not: false, to },
  });
  const text = stringifyExact(value, 0);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const count = countOf(value);
  return [
    of(`Equals ${shown}`, 'equals', text),
    of('Exists', 'exists', null),
    of(`Has the type ${typeOf(value)}`, 'type', JSON.stringify(typeOf(value))),
    ...(count === null ? [] : [of(`Has the length ${count}`, 'count', String(count))]),
    of('Stays as it is now (snapshot)', 'snapshot', null),
  ];
}

function typeOf(value: ExactValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  return isExactObject(value) ? 'object' : 'number';
}

/** The number of elements, members or characters; null for what has none. */
function countOf(value: ExactValue): number | null {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return [...value].length;
  return isExactObject(value) ? Object.keys(value).length : null;
}

/** The name of a value of an error. */
function errorValue([member, ...rest]: Path): string {
  if (member === 'data' && rest.length > 0) return `error.data${jsonPath(rest)}`;
  return `error.${member ?? 'message'}`;
}

/** A path into a result as a JSONPath (RFC 9535). */
function jsonPath(path: readonly (string | number)[]): string {
  const part = (step: string | number) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  };
  return `$${path.map(part).join('')}`;
}
