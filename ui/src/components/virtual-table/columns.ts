import type { ReactNode } from 'react';

/** A column of a table. `Frame` is what all rows on the screen have in common. */
export interface Column<Row, Frame> {
  readonly id: string;
  /** Its heading; empty for a column that needs none. */
  readonly title: string;
  /** What a screen reader calls a column without a heading. */
  readonly label?: string;
  /** Pixels; for the column that takes the remaining space, the least that it needs. */
  readonly width: number;
  readonly takesRest?: boolean;
  readonly align?: 'end';
  /** Pixels before the heading. */
  readonly indent?: number;
  /** Hidden where the table is too narrow for all; the highest number first. */
  readonly yields?: number;
  readonly isFixed?: boolean;
  readonly cell: (row: Row, frame: Frame) => ReactNode;
}

/** Widths that a person chose, by column. */
export type ColumnWidths = Readonly<Record<string, number>>;

export const NARROWEST_COLUMN = 40;
const WIDEST_COLUMN = 800;

/** What a row has at its sides, in pixels. */
const ROW_PADDING = 24;

/** The columns for which a table of `width` pixels has room. */
export function fittingColumns<Row, Frame>(
  columns: readonly Column<Row, Frame>[],
  width: number,
): readonly Column<Row, Frame>[] {
  const hidden = new Set<string>();
  let needed = columns.reduce((sum, column) => sum + column.width, ROW_PADDING);
  const yielding = columns
    .filter((column) => column.yields !== undefined)
    .sort((one, other) => (other.yields ?? 0) - (one.yields ?? 0));
  for (const column of yielding) {
    if (needed <= width) break;
    hidden.add(column.id);
    needed -= column.width;
  }
  return columns.filter((column) => !hidden.has(column.id));
}

/** `grid-template-columns` for a header and its rows. */
export function columnTemplate<Row, Frame>(
  columns: readonly Column<Row, Frame>[],
  widths: ColumnWidths,
): string {
  return columns
    .map((column) => {
      const width = widths[column.id] ?? column.width;
      return column.takesRest ? `minmax(${width}px, 1fr)` : `${width}px`;
    })
    .join(' ');
}

/** A width within what can still be read and found again. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(Math.max(NARROWEST_COLUMN, width), WIDEST_COLUMN));
}
