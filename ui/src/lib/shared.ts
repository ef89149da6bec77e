/**
 * Returns `after` with every part of `before` in it that says the same, so that what has not
 * changed is not drawn again; `before` itself where nothing has. For values as JSON has them.
 */
export function shared<T>(before: T, after: T): T {
  return share(before, after) as T;
}

function share(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const parts = after.map((part, index) => share(before[index], part));
    const isSame = before.length === after.length && parts.every((part, i) => part === before[i]);
    return isSame ? before : parts;
  }
  if (!isRecord(before) || !isRecord(after)) return after;
  const names = Object.keys(after);
  const parts = names.map((name) => [name, share(before[name], after[name])] as const);
  const isSame =
    Object.keys(before).length === names.length &&
    parts.every(([name, part]) => name in before && part === before[name]);
  return isSame ? before : Object.fromEntries(parts);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same for a list whose elements have names: each is compared with the one of its name. */
export function sharedList<T>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (element: T) => string,
): T[] {
  const known = new Map(before.map((element) => [nameOf(element), element]));
  const list = after.map((element) => {
    const same = known.get(nameOf(element));
    return same === undefined ? element : shared(same, element);
  });
  const isSame = list.length === before.length && list.every((one, i) => one === before[i]);
  return isSame ? (before as T[]) : list;
}
