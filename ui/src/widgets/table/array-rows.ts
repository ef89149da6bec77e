import type { RowSource } from '@/components/virtual-table/row-source';
import type { Cell } from '@/lib/table/table';

/** A row of a table with its place in it. */
export interface PlacedRow {
  index: number;
  cells: readonly Cell[];
}

const never = () => () => undefined;

/** Rows that are all at hand and never change. */
export class ArrayRows implements RowSource<PlacedRow> {
  readonly #rows: readonly (readonly Cell[])[];
  readonly subscribe = never;
  readonly prepended = 0;
  readonly generation = 0;

  constructor(rows: readonly (readonly Cell[])[]) {
    this.#rows = rows;
  }

  readonly getVersion = () => 0;

  get count(): number {
    return this.#rows.length;
  }

  row(index: number): PlacedRow | undefined {
    const cells = this.#rows[index];
    return cells && { index, cells };
  }

  show(): void {
    // Nothing is loaded.
  }
}
