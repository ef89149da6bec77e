import type { SentToolDetail } from '@/backend/bindings';

/** A row of two texts beside each other. */
export interface SideRow {
  /** Null where the other text alone has a line. */
  original: string | null;
  sent: string | null;
  isEqual: boolean;
}

/** Characters of a line that are drawn. */
const MAX_LINE = 2_000;

/** The rows of two texts: as the backend paired them, or line by line where it did not. */
export function sideRows({ tool, lines }: SentToolDetail): readonly SideRow[] {
  const original = tool.original.split('\n');
  const sent = tool.sent.split('\n');
  if (lines.length > 0) {
    return lines.map((line) => ({
      original: at(original, line.original),
      sent: at(sent, line.sent),
      isEqual: line.isEqual,
    }));
  }
  return Array.from({ length: Math.max(original.length, sent.length) }, (_, index) => ({
    original: at(original, index + 1),
    sent: at(sent, index + 1),
    isEqual: true,
  }));
}

/** A line, by its number from 1. */
function at(lines: readonly string[], number: number | null): string | null {
  const line = number === null ? undefined : lines[number - 1];
  return line === undefined ? null : line.slice(0, MAX_LINE);
}
