import type { RowSource } from './row-source';

const never = () => () => undefined;

/** Rows that are kept: several screens of them. */
const MAX_KEPT = 512;

/**
 * Rows of something that never changes, each made when it is shown: a table shows some thirty of
 * ten thousand. They are kept for a while, so that a row stays the same object while it is seen.
 */
export class MadeRows<Row> implements RowSource<Row> {
  readonly #kept = new Map<number, Row>();
  readonly subscribe = never;
  readonly prepended = 0;
  readonly generation = 0;

  constructor(
    readonly count: number,
    private readonly make: (index: number) => Row | undefined,
  ) {}

  readonly getVersion = () => 0;

  row(index: number): Row | undefined {
    if (index < 0 || index >= this.count) return undefined;
    const row = this.#kept.get(index) ?? this.make(index);
    if (row === undefined) return undefined;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(index, row);
    return row;
  }

  show(): void {
    // Nothing is loaded.
  }
}

/** Rows that are all at hand and never change. */
export class ArrayRows<Row> extends MadeRows<Row> {
  constructor(rows: readonly Row[]) {
    super(rows.length, (index) => rows[index]);
  }
}
