/** The kind of a piece of a line, for colour only. */
export type TokenKind = 'key' | 'string' | 'number' | 'literal' | 'punctuation' | 'plain';

export interface Token {
  kind: TokenKind;
  text: string;
}

const STRING = /"(?:[^"\\]|\\.)*"?/y;
const NUMBER = /-?\d[\d.eE+-]*/y;
const LITERAL = /true|false|null/y;
const PUNCTUATION = /[{}[\],:]+/y;
const KEY_AHEAD = /\s*:/y;
const PLAIN = /[^"{}[\],:\dtfn-]+|./y;

/**
 * Cuts one line of JSON into coloured pieces. It looks at nothing but this line, so a long
 * string that continues on the next line is coloured as far as can be known. Joining the
 * texts gives the line back exactly.
 */
export function tokenizeLine(line: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(line)?.[0];
    if (match) position += match.length;
    return match;
  };
  const push = (kind: TokenKind, text: string) => {
    const last = tokens.at(-1);
    if (last?.kind === kind) last.text += text;
    else tokens.push({ kind, text });
  };
  while (position < line.length) {
    const string = take(STRING);
    if (string !== undefined) {
      KEY_AHEAD.lastIndex = position;
      push(KEY_AHEAD.test(line) ? 'key' : 'string', string);
      continue;
    }
    const punctuation = take(PUNCTUATION);
    if (punctuation !== undefined) {
      push('punctuation', punctuation);
      continue;
    }
    const number = take(NUMBER);
    if (number !== undefined) {
      push('number', number);
      continue;
    }
    const literal = take(LITERAL);
    if (literal !== undefined) {
      push('literal', literal);
      continue;
    }
    push('plain', take(PLAIN) ?? line.slice(position++, position));
  }
  return tokens;
}
