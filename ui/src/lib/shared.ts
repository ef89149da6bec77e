import { isObject } from './objects';

/**
 * Returns `after` with every part of `before` in it that says the same, so that what has not
 * changed is not drawn again; `before` itself where nothing has. For values as JSON has them.
 */
export function shared<T>(before: T | undefined, after: T): T {
  return share(before, after) as T;
}

function share(before: unknown, after: unknown): unknown {
  // Nearly everything is the same, and that is found out without a copy of it.
  if (isSame(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.map((part, index) => share(before[index], part));
  }
  if (!isObject(before) || !isObject(after)) return after;
  const names = Object.keys(after);
  return Object.fromEntries(names.map((name) => [name, share(before[name], after[name])]));
}

function isSame(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((part, i) => isSame(part, after[i]));
  }
  if (!isObject(before) || !isObject(after)) return false;
  let count = 0;
  for (const name in after) {
    if (!(name in before) || !isSame(before[name], after[name])) return false;
    count += 1;
  }
  for (const _ in before) count -= 1;
  return count === 0;
}

/** Tells whether two lists have the very same elements. */
export function isSameList<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}
