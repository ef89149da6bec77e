import { LosslessNumber } from 'lossless-json';
import { isObject } from '@/lib/objects';
import { type ExactValue, isExactNumber, isExactObject, stringifyExact } from './exact';

/**
 * The form library copies, compares and merges values as plain JavaScript data, so a number
 * object would not survive it and a number would be rounded. Inside the form a number is
 * therefore a *tagged string*: the mark below and then its text. A string that happens to
 * begin with the mark gets a mark of its own, so that nothing is ambiguous.
 */
export type Tagged =
  | undefined
  | null
  | boolean
  | string
  | number
  | Tagged[]
  | { [key: string]: Tagged };

const MARK = '\u{F5167}';
const NUMBER = `${MARK}n`;
const STRING = `${MARK}s`;

/** The form's value for a number that is written so. */
export function tagNumber(text: string): string {
  return NUMBER + text;
}

/** The text of a tagged number; undefined when the value is not one. */
export function numberText(value: Tagged): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.startsWith(NUMBER)
    ? value.slice(NUMBER.length)
    : undefined;
}

/** The form's value for a string. */
export function tagString(text: string): string {
  return text.startsWith(MARK) ? STRING + text : text;
}

/** The text of a string; undefined when the value is not one. */
export function stringText(value: Tagged): string | undefined {
  if (typeof value !== 'string' || value.startsWith(NUMBER)) return undefined;
  return value.startsWith(STRING) ? value.slice(STRING.length) : value;
}

export function tag(value: ExactValue): Tagged {
  if (isExactNumber(value)) return tagNumber(value.value);
  if (typeof value === 'string') return tagString(value);
  if (Array.isArray(value)) return value.map(tag);
  if (isExactObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tag(item)]));
  }
  return value;
}

/** Absent members are left out; an absent item of an array becomes null, for it has a place. */
export function untag(value: Tagged): ExactValue | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  const number = numberText(value);
  if (number !== undefined) return new LosslessNumber(number);
  if (typeof value === 'string') return stringText(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => untag(item) ?? null);
  const members: [string, ExactValue][] = [];
  for (const [key, item] of Object.entries(value as { [key: string]: Tagged })) {
    const exact = untag(item);
    if (exact !== undefined) members.push([key, exact]);
  }
  return Object.fromEntries(members);
}

/** JSON for a form's value; undefined where nothing is there. */
export function taggedText(value: Tagged, indentation = 2): string | undefined {
  const exact = untag(value);
  return exact === undefined ? undefined : stringifyExact(exact, indentation);
}

export function isTaggedObject(value: Tagged): value is { [key: string]: Tagged } {
  return isObject(value);
}

/** A copy of `value` with `replacement` at `path`; undefined removes a member. */
export function setTagged(
  value: Tagged,
  path: readonly (string | number)[],
  replacement: Tagged,
): Tagged {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (typeof step === 'number' || Array.isArray(value)) {
    const items = Array.isArray(value) ? [...value] : [];
    items[Number(step)] = setTagged(items[Number(step)], rest, replacement);
    return items;
  }
  const members = isTaggedObject(value) ? { ...value } : {};
  const next = setTagged(members[step], rest, replacement);
  if (next === undefined) delete members[step];
  else members[step] = next;
  return members;
}
