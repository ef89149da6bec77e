/** A value of a table as it came: numbers digit by digit; undefined where there is none. */
export type Cell = string | undefined;

/** A table of texts. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** True if there is more than what is held here. */
  isCut: boolean;
}

/** The rows and the columns that a table holds at most. */
export const MAX_ROWS = 50_000;
export const MAX_COLUMNS = 200;

/** Order in which rows stand. */
export interface Sort {
  /** Index of the column. */
  column: number;
  isDescending: boolean;
}

/** Returns the rows in order; where two are alike they stay as they came. Empty ones come last. */
export function sortedRows({ rows }: Table, sort: Sort | null): Table['rows'] {
  if (!sort) return rows;
  const { column, isDescending } = sort;
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [first, second] = [one[column], other[column]];
    const isEmpty = [first, second].map((cell) => cell === undefined || cell === '');
    if (isEmpty[0] || isEmpty[1]) return Number(isEmpty[0]) - Number(isEmpty[1]);
    return sign * compareCells(first ?? '', second ?? '');
  });
}

/** A number, as spreadsheets read one too. */
export const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const INTEGER = /^[-+]?\d{1,400}$/;

const collator = new Intl.Collator('en', { numeric: true });

/** Compares numbers by their value, and all else by letters; numbers come first. */
function compareCells(one: string, other: string): number {
  const isNumber = [NUMBER.test(one), NUMBER.test(other)];
  if (isNumber[0] && isNumber[1]) {
    if (INTEGER.test(one) && INTEGER.test(other)) {
      const difference = BigInt(one.replace('+', '')) - BigInt(other.replace('+', ''));
      return difference < 0n ? -1 : difference > 0n ? 1 : 0;
    }
    return Number(one) - Number(other);
  }
  if (isNumber[0] || isNumber[1]) return isNumber[0] ? -1 : 1;
  return collator.compare(one, other);
}

/** Tells whether a column holds nothing but numbers, as far as it holds anything. */
export function isNumeric({ rows }: Table, column: number): boolean {
  let count = 0;
  for (const row of rows.slice(0, 1000)) {
    const cell = row[column];
    if (cell === undefined || cell === '') continue;
    if (!NUMBER.test(cell)) return false;
    count += 1;
  }
  return count > 0;
}
