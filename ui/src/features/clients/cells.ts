import { visibleText } from '@/lib/visible-text';

/** Characters of a name that are drawn; one of a hostile server could fill the window. */
const MAX_LENGTH = 300;

/** A text of a server as a cell of a table shows it. */
export function cellText(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return visibleText(cut);
}

/** Keeps the rows in which a text holds all words of a filter. */
export function filtered<Row>(
  rows: readonly Row[],
  filter: string,
  textOf: (row: Row) => string,
): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
