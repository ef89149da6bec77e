import type { Token } from '@/lib/json/tokenize';

/** A text that is looked for in lines, and the match that is at hand. */
export interface Find {
  text: string;
  /** The line of the match at hand, from 0; undefined while there is none. */
  line: number | undefined;
  /** Its place among the matches on that line, from 0. */
  ordinal: number;
}

/** A part of a line, drawn alike. */
export interface Piece extends Token {
  match: 'none' | 'match' | 'current';
}

/** Cuts the tokens of a line where a text is found in it, whatever its case. */
export function withMatches(
  tokens: readonly Token[],
  text: string,
  ordinal: number | undefined,
): Piece[] {
  const line = tokens.map((token) => token.text).join('');
  const lower = line.toLowerCase();
  const wanted = text.toLowerCase();
  // Some characters become two in lower case: places in one are not places in the other then.
  if (wanted === '' || lower.length !== line.length) {
    return tokens.map((token) => ({ ...token, match: 'none' }));
  }
  const starts: number[] = [];
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    starts.push(at);
  }
  const pieces: Piece[] = [];
  let from = 0;
  for (const token of tokens) {
    const end = from + token.text.length;
    let at = from;
    for (const [index, start] of starts.entries()) {
      const [first, last] = [Math.max(start, at), Math.min(start + wanted.length, end)];
      if (first >= last) continue;
      if (first > at) pieces.push({ ...token, text: line.slice(at, first), match: 'none' });
      const match = index === ordinal ? 'current' : 'match';
      pieces.push({ ...token, text: line.slice(first, last), match });
      at = last;
    }
    if (at < end) pieces.push({ ...token, text: line.slice(at, end), match: 'none' });
    from = end;
  }
  return pieces;
}
