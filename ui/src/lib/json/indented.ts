import { MAX_BLANKS } from '@/lib/characters';
import { readJson } from './read';

/** A string, a mark, or another value: JSON without the blanks between them. */
const PIECE = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

const INDENTATION = '  ';
/** Deeper levels begin where this one does: more blanks in a row would be counted. */
const MAX_LEVEL = MAX_BLANKS / INDENTATION.length;

/**
 * Indents JSON and keeps every member, repeated ones too, and numbers as they were written. Strings
 * are written without the escapes that they do not need, as whoever reads them sees them. Any other
 * text is returned as it is.
 */
export function indentedJson(text: string): string {
  if ('problem' in readJson(text)) return text;
  const pieces = text.match(PIECE) ?? [];
  let level = 0;
  const line = () => `\n${INDENTATION.repeat(Math.min(level, MAX_LEVEL))}`;
  return pieces
    .map((piece, index) => {
      switch (piece) {
        case '{':
        case '[':
          if (isEnd(pieces[index + 1])) return piece;
          level += 1;
          return piece + line();
        case '}':
        case ']':
          if (isBeginning(pieces[index - 1])) return piece;
          level -= 1;
          return line() + piece;
        case ',':
          return piece + line();
        case ':':
          return ': ';
        default:
          return piece.startsWith('"') ? JSON.stringify(JSON.parse(piece)) : piece;
      }
    })
    .join('');
}

function isBeginning(piece: string | undefined): boolean {
  return piece === '{' || piece === '[';
}

function isEnd(piece: string | undefined): boolean {
  return piece === '}' || piece === ']';
}
