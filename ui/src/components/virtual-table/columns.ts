import type { ReactNode } from 'react';

/** A column of a table. `Frame` is what all rows on the screen have in common. */
export interface Column<Row, Frame> {
  readonly id: string;
  /** Its heading; empty for a column that needs none. */
  readonly title: string;
  /** The accessible name of a column without a heading. */
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

/** The column by which rows are sorted, and how. */
export interface ColumnSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Widths that the user chose, by column. */
export type ColumnWidths = Readonly<Record<string, number>>;

const MIN_COLUMN_WIDTH = 40;
const MAX_COLUMN_WIDTH = 800;

/** The padding of a row at its sides, in pixels. */
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

/** The widths of the columns, as properties of the table that its cells refer to. */
export function widthProperties<Row, Frame>(
  columns: readonly Column<Row, Frame>[],
  widths: ColumnWidths,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.map((column) => [widthProperty(column), `${widths[column.id] ?? column.width}px`]),
  );
}

/**
 * Returns the flex properties of a cell. Rows are flexible boxes: a grid of its own for every row
 * takes a quarter longer to lay out.
 */
export function cellFlex(column: Pick<Column<never, never>, 'id' | 'takesRest'>): string {
  return `${column.takesRest ? 1 : 0} 0 var(${widthProperty(column)})`;
}

function widthProperty({ id }: { readonly id: string }): string {
  return `--width-${id}`;
}

/** A width within what can still be read and found again. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(Math.max(MIN_COLUMN_WIDTH, width), MAX_COLUMN_WIDTH));
}
