/**
 * Engines stop at some height: WebKit and Chromium at about 33 million pixels, others
 * earlier. A longer text therefore gets fewer rows of scrolling than it has lines, and the
 * place of the scroll bar says how far into the text the window is.
 */
export const MAX_ROWS = 700_000;

/** Returns the number of rows that can be scrolled through. */
export function scrolledRows(lines: number): number {
  return Math.min(lines, MAX_ROWS);
}

/** The row to scroll to so that a line is in view, the inverse of `topLine`. */
export function rowOfLine(lines: number, line: number, visible: number): number {
  const rows = scrolledRows(lines);
  if (rows === lines) return line;
  return Math.round((line / Math.max(1, lines - visible)) * (rows - visible));
}

/** The line at the top when `topRow` is, with `visible` rows in view. */
export function topLine(lines: number, topRow: number, visible: number): number {
  const rows = scrolledRows(lines);
  if (rows === lines) return topRow;
  const share = topRow / Math.max(1, rows - visible);
  return Math.round(Math.min(1, share) * Math.max(0, lines - visible));
}
