/*
 * Ranks what a search finds and says which letters it found: a name before what is told of it,
 * and in a name the whole, its beginning, the beginning of a word, the inside of one, and the
 * beginnings of several (`schobj` in `schema_objects`). Long lists are ranked by the host, by the
 * same rules (`session/list/rank.rs`); here are the short ones, and the highlight of all.
 */

/** The first and the end of each part of a text that was found. */
export type Found = readonly (readonly [first: number, end: number])[];

/** Ranks of a match; the lowest is the best. */
export const RANK = {
  exact: 0,
  prefix: 1,
  word: 2,
  inside: 3,
  fuzzy: 4,
  description: 5,
} as const;

type Rank = (typeof RANK)[keyof typeof RANK];

interface Match {
  readonly rank: Rank;
  readonly found: Found;
}

/** The most characters of a text that the fuzzy search looks at. */
const MAX_FUZZY = 200;

/** Matches a search with one text. */
export function match(text: string, search: string): Match | null {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return { rank: RANK.inside, found: [] };
  const whole = matchPart(text, wanted);
  if (whole !== null) return whole;
  const words = wanted.split(/\s+/);
  const parts = words.length > 1 ? words.map((word) => matchPart(text, word)) : [null];
  const all = parts.filter((part) => part !== null);
  if (all.length === parts.length) {
    return {
      rank: Math.max(...all.map(({ rank }) => rank)) as Rank,
      found: joined(all.flatMap(({ found }) => found)),
    };
  }
  const found = matchLetters(text, words.join(''));
  return found && { rank: RANK.fuzzy, found };
}

/** Something that can be searched for. */
export interface Searched {
  readonly name: string;
  /** Further texts that count less than the name. */
  readonly more?: readonly string[];
}

/**
 * The items that match, the best first; those that are as good stay in their order. Words may
 * stand in different texts of one item.
 */
export function ranked<T>(
  items: readonly T[],
  search: string,
  textsOf: (item: T) => Searched,
): readonly T[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return items;
  const words = wanted.split(/\s+/);
  return items
    .flatMap((item) => {
      const { name, more = [] } = textsOf(item);
      const rank = match(name, wanted)?.rank;
      if (rank !== undefined) return [{ item, rank: rank as number }];
      const texts = [name, ...more].join('\n').toLowerCase();
      return words.every((word) => texts.includes(word)) ? [{ item, rank: RANK.description }] : [];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** Ranges of a text to highlight. None for what a description only happens to spell. */
export function foundIn(text: string, search: string, isName = true): Found {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return [];
  const whole = matchPart(text, wanted) ?? (isName ? match(text, wanted) : null);
  if (whole !== null) return whole.found;
  return joined(wanted.split(/\s+/).flatMap((word) => matchPart(text, word)?.found ?? []));
}

function matchPart(text: string, wanted: string): Match | null {
  const lower = text.toLowerCase();
  // Some characters become longer; what was found would stand elsewhere.
  if (lower.length !== text.length) return lower.includes(wanted) ? UNKNOWN_PLACE : null;
  const first = lower.indexOf(wanted);
  if (first < 0) return null;
  if (first === 0) {
    const rank = lower.length === wanted.length ? RANK.exact : RANK.prefix;
    return { rank, found: [[0, wanted.length]] };
  }
  for (let at = first; at >= 0; at = lower.indexOf(wanted, at + 1)) {
    if (beginsWord(text, at)) return { rank: RANK.word, found: [[at, at + wanted.length]] };
  }
  return { rank: RANK.inside, found: [[first, first + wanted.length]] };
}

const UNKNOWN_PLACE: Match = { rank: RANK.inside, found: [] };

const LETTER = /[\p{L}\p{N}]/u;

function beginsWord(text: string, at: number): boolean {
  const before = text[at - 1];
  const here = text[at] ?? '';
  if (before === undefined) return true;
  if (!LETTER.test(before)) return LETTER.test(here);
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(here);
}

/** Finds letters in their order, each at the beginning of a word or right after the last. */
function matchLetters(text: string, letters: string): Found | null {
  const written = text.slice(0, MAX_FUZZY);
  const lower = written.toLowerCase();
  if (letters.length < 2 || lower.length !== written.length) return null;
  const wrong = new Set<number>();
  const places: number[] = [];
  const follow = (order: number, from: number): boolean => {
    if (order === letters.length) return true;
    // Whatever came before: the rest fails from here.
    if (wrong.has(order * MAX_FUZZY + from)) return false;
    for (let at = from; at < written.length; at += 1) {
      const isNext = order > 0 && at === from;
      if (lower[at] !== letters[order] || !(isNext || beginsWord(written, at))) continue;
      places[order] = at;
      if (follow(order + 1, at + 1)) return true;
    }
    wrong.add(order * MAX_FUZZY + from);
    return false;
  };
  return follow(0, 0) ? joined(places.map((at) => [at, at + 1] as const)) : null;
}

/** The parts in their order, those that touch as one. */
function joined(parts: readonly (readonly [number, number])[]): Found {
  const result: [number, number][] = [];
  for (const [first, end] of parts.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1);
    if (last && first <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([first, end]);
  }
  return result;
}
