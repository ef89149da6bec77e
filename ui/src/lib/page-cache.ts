interface Page<Row> {
  rows: readonly Row[];
  isStale: boolean;
}

/** Offsets of rows; `end` is the first that is not meant. */
export interface Gap {
  readonly first: number;
  readonly end: number;
}

/**
 * The rows that were loaded, in pages, of which only the most recently used are kept. Stale
 * pages are still shown, and loaded again when they are.
 */
export class PageCache<Row> {
  readonly pageSize: number;
  readonly #pageLimit: number;
  /** The pages in the order of their last use, which a Map keeps. */
  readonly #pages = new Map<number, Page<Row>>();

  constructor(pageSize: number, pageLimit: number) {
    this.pageSize = pageSize;
    this.#pageLimit = pageLimit;
  }

  get pageCount(): number {
    return this.#pages.size;
  }

  row(offset: number): Row | undefined {
    const page = this.#pages.get(Math.floor(offset / this.pageSize));
    return page?.rows[offset % this.pageSize];
  }

  /** All rows at hand, in no order. */
  *rows(): Iterable<Row> {
    for (const page of this.#pages.values()) yield* page.rows;
  }

  /** The offset of the first row at hand that is the one meant. */
  offsetOf(isMeant: (row: Row) => boolean): number | null {
    for (const [number, page] of this.#pages) {
      const place = page.rows.findIndex(isMeant);
      if (place >= 0) return number * this.pageSize + place;
    }
    return null;
  }

  /** Keeps `rows`, the first of which is at `first`, where a page begins. */
  store(first: number, rows: readonly Row[]): void {
    if (first % this.pageSize !== 0) throw new RangeError(`no page begins at ${first}`);
    for (let start = 0; start < rows.length; start += this.pageSize) {
      const number = (first + start) / this.pageSize;
      this.#pages.delete(number);
      this.#pages.set(number, { rows: rows.slice(start, start + this.pageSize), isStale: false });
    }
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= this.#pageLimit) break;
      this.#pages.delete(number);
    }
  }

  /** Returns `rows`, each as the object that is at hand where it says nothing else. */
  reuse(
    rows: readonly Row[],
    idOf: (row: Row) => unknown,
    isSame: (known: Row, row: Row) => boolean,
  ): Row[] {
    const known = new Map<unknown, Row>();
    for (const row of this.rows()) known.set(idOf(row), row);
    return rows.map((row) => {
      const before = known.get(idOf(row));
      return before !== undefined && isSame(before, row) ? before : row;
    });
  }

  /**
   * Returns the rows to load to have all from `first` up to `end` as they are now: from the first
   * page that is missing, stale or too short to the last one.
   */
  gap(first: number, end: number): Gap | null {
    if (end <= first) return null;
    let from = -1;
    let to = -1;
    for (let number = Math.floor(first / this.pageSize); number * this.pageSize < end; number++) {
      const page = this.#pages.get(number);
      const needed = Math.min(end - number * this.pageSize, this.pageSize);
      if (page && !page.isStale && page.rows.length >= needed) {
        this.#pages.delete(number);
        this.#pages.set(number, page);
        continue;
      }
      if (from < 0) from = number;
      to = number + 1;
    }
    return from < 0 ? null : { first: from * this.pageSize, end: to * this.pageSize };
  }

  /** The rows may have changed: what is shown again is loaded again. */
  markStale(): void {
    for (const page of this.#pages.values()) page.isStale = true;
  }

  clear(): void {
    this.#pages.clear();
  }
}

/**
 * Returns the number of rows that there are, of which an answer to `gap` brought `came`. Where that
 * is less than it says there to be, the rows end: asking on would not end.
 */
export function countOf({ first, end }: Gap, came: number, total: number): number {
  return came < Math.min(end, total) - first ? first + came : total;
}
