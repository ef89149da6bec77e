/**
 * The heights of any number of rows, of which only those that differ from the usual one are kept:
 * of half a million lines a reader sees some hundreds, and an entry for each would have to be made
 * before the first is drawn.
 */
export class RowHeights {
  readonly #usual: number;
  /** The rows of another height, in their order. */
  readonly #rows: number[] = [];
  readonly #heights: number[] = [];
  /** By how much all of them up to each, with it, are taller than usual. */
  readonly #sums: number[] = [];

  constructor(usual: number) {
    this.#usual = usual;
  }

  /** The number of rows that are kept. */
  get size(): number {
    return this.#rows.length;
  }

  heightOf(row: number): number {
    const at = this.#placeOf(row);
    return this.#rows[at] === row ? (this.#heights[at] ?? this.#usual) : this.#usual;
  }

  /** The distance of a row from the top of the first. */
  topOf(row: number): number {
    return row * this.#usual + (this.#sums[this.#placeOf(row) - 1] ?? 0);
  }

  /** The last row that begins at this distance or above, of so many; 0 without any. */
  rowAt(distance: number, count: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.topOf(middle) <= distance) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Notes the height of a row. Returns by how much it is taller than it was. */
  set(row: number, height: number): number {
    const change = height - this.heightOf(row);
    if (change === 0) return 0;
    const at = this.#placeOf(row);
    const isKept = this.#rows[at] === row;
    if (height === this.#usual) {
      this.#rows.splice(at, 1);
      this.#heights.splice(at, 1);
      this.#sums.pop();
    } else if (isKept) {
      this.#heights[at] = height;
    } else {
      this.#rows.splice(at, 0, row);
      this.#heights.splice(at, 0, height);
    }
    for (let index = at; index < this.#rows.length; index++) {
      const taller = (this.#heights[index] ?? this.#usual) - this.#usual;
      this.#sums[index] = (this.#sums[index - 1] ?? 0) + taller;
    }
    return change;
  }

  /** The place among those that are kept of a row, or of the first after it. */
  #placeOf(row: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle] ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
