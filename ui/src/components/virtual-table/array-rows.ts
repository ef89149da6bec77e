import type { RowSource } from './row-source';

const never = () => () => undefined;

/** Rows that are all at hand and never change. */
export class ArrayRows<Row> implements RowSource<Row> {
  readonly #rows: readonly Row[];
  readonly subscribe = never;
  readonly prepended = 0;
  readonly generation = 0;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  readonly getVersion = () => 0;

  get count(): number {
    return this.#rows.length;
  }

  row(index: number): Row | undefined {
    return this.#rows[index];
  }

  show(): void {
    // Nothing is loaded.
  }
}
