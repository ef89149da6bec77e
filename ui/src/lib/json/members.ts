import { attempt } from '@/lib/attempt';
import { isObject } from '@/lib/objects';

/** Returns the members of an object, and none where a value is none. */
export function membersIn(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** Returns the members of an object that is written in JSON, and none where a text is none. */
export function readMembers(json: string): Record<string, unknown> {
  return membersIn(attempt(() => JSON.parse(json)));
}
