/*
 * Where a table's rows come from. The table never holds them all: it says which ones it shows,
 * and draws those that the source has.
 */
export interface RowSource<Row> {
  /** Calls `listener` whenever anything below may have changed; returns how to stop that. */
  subscribe(listener: () => void): () => void;
  /** Changes with every change; what React compares. */
  getVersion(): number;
  /** The number of rows. */
  readonly count: number;
  /** The number of rows found *before* the first one so far: the shift of every index. */
  readonly prepended: number;
  /** Changes when the rows are others altogether, after which no index means what it did. */
  readonly generation: number;
  /** A row, counted from the first one, if it is at hand. */
  row(index: number): Row | undefined;
  /** The table shows these rows now; `end` is the first that it does not show. */
  show(first: number, end: number): void;
}
