import { type ExactValue, isExactNumber, isExactObject } from './exact';
import { toPointer } from './pointer';

/** One place at which two values differ. */
export interface Difference {
  /** A JSON pointer: into the second value, and for what was removed into the first. */
  pointer: string;
  kind: 'added' | 'removed' | 'changed';
  before?: ExactValue;
  after?: ExactValue;
}

export interface Differences {
  /** In the order of the values, the first `MAX_DIFFERENCES` of them. */
  differences: readonly Difference[];
  /** True where there are more. */
  isCut: boolean;
}

export const MAX_DIFFERENCES = 500;

/** Items that stand in a list's middle, between its equal ends, of which the order is compared. */
const MAX_ALIGNED = 400;

/** Levels down to which values are told apart member by member; below, only as a whole. */
const MAX_DEPTH = 200;

type Step = string | number;

/** Finds the members and items that were added, removed or changed. Numbers compare by digits. */
export function differencesOf(before: ExactValue, after: ExactValue): Differences {
  const found: Difference[] = [];
  const isFull = () => found.length > MAX_DIFFERENCES;
  const note = (path: readonly Step[], difference: Omit<Difference, 'pointer'>) => {
    if (!isFull()) found.push({ pointer: toPointer(path), ...difference });
  };
  const compare = (one: ExactValue, other: ExactValue, path: readonly Step[]) => {
    if (isFull() || isSame(one, other)) return;
    if (path.length < MAX_DEPTH && Array.isArray(one) && Array.isArray(other)) {
      for (const [from, to] of aligned(one, other)) {
        if (isFull()) return;
        if (from === null) note([...path, to ?? 0], { kind: 'added', after: other[to ?? 0] });
        else if (to === null) note([...path, from], { kind: 'removed', before: one[from] });
        else compare(one[from] ?? null, other[to] ?? null, [...path, to]);
      }
    } else if (path.length < MAX_DEPTH && isExactObject(one) && isExactObject(other)) {
      for (const [name, value] of Object.entries(one)) {
        if (isFull()) return;
        const there = Object.hasOwn(other, name) ? other[name] : undefined;
        if (there === undefined) note([...path, name], { kind: 'removed', before: value });
        else compare(value, there, [...path, name]);
      }
      for (const [name, value] of Object.entries(other)) {
        if (!Object.hasOwn(one, name)) note([...path, name], { kind: 'added', after: value });
      }
    } else {
      note(path, { kind: 'changed', before: one, after: other });
    }
  };
  compare(before, after, []);
  return { differences: found.slice(0, MAX_DIFFERENCES), isCut: isFull() };
}

/** Pairs of positions, one null where an item has no counterpart. */
type Pair = readonly [number, number] | readonly [number, null] | readonly [null, number];

/** Finds the counterparts of items: equal ends, then the longest common order between them. */
function aligned(before: readonly ExactValue[], after: readonly ExactValue[]): Pair[] {
  let start = 0;
  while (
    start < Math.min(before.length, after.length) &&
    isSame(before[start] ?? null, after[start] ?? null)
  ) {
    start += 1;
  }
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    isSame(before[before.length - 1 - end] ?? null, after[after.length - 1 - end] ?? null)
  ) {
    end += 1;
  }
  const [last, otherLast] = [before.length - end, after.length - end];
  const common =
    Math.max(last, otherLast) - start > MAX_ALIGNED
      ? []
      : commonOrder(before.slice(start, last), after.slice(start, otherLast));
  const pairs: Pair[] = [];
  let [from, to] = [start, start];
  for (const [one, other] of [
    ...common.map(([one, other]) => [one + start, other + start] as const),
    [last, otherLast] as const,
  ]) {
    // Items between two that are equal: the first of each side is taken for the same, changed.
    while (from < one && to < other) pairs.push([from++, to++]);
    while (from < one) pairs.push([from++, null]);
    while (to < other) pairs.push([null, to++]);
    from += 1;
    to += 1;
  }
  return pairs;
}

/** The longest common subsequence of two lists, as positions. */
function commonOrder(
  before: readonly ExactValue[],
  after: readonly ExactValue[],
): (readonly [number, number])[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const length = (one: number, other: number) => lengths[one * width + other] ?? 0;
  const same = (one: number, other: number) => isSame(before[one] ?? null, after[other] ?? null);
  for (let one = before.length - 1; one >= 0; one -= 1) {
    for (let other = after.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] = same(one, other)
        ? length(one + 1, other + 1) + 1
        : Math.max(length(one + 1, other), length(one, other + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [one, other] = [0, 0];
  while (one < before.length && other < after.length) {
    if (same(one, other)) pairs.push([one++, other++]);
    else if (length(one + 1, other) >= length(one, other + 1)) one += 1;
    else other += 1;
  }
  return pairs;
}

/** Tells whether two values are the same, whatever the order of their members. */
export function isSame(one: ExactValue, other: ExactValue, depth = 0): boolean {
  if (one === other) return true;
  if (depth > MAX_DEPTH) return false;
  if (isExactNumber(one)) return isExactNumber(other) && one.value === other.value;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index] ?? null, depth + 1))
    );
  }
  if (!isExactObject(one) || !isExactObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isSame(one[name] ?? null, other[name] ?? null, depth + 1),
    )
  );
}

/** Characters of a text that differ, with a few of those that stand before them. */
const CONTEXT = 24;

/** Cuts two long texts to where they begin to differ. */
export function whereTextsDiffer(one: string, other: string): [string, string] {
  let same = 0;
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same += 1;
  const from = same > 2 * CONTEXT ? same - CONTEXT : 0;
  const cut = (text: string) => (from > 0 ? `…${text.slice(from)}` : text);
  return [cut(one), cut(other)];
}
