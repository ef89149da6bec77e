import { expect, test } from 'vitest';
import { RowHeights } from './row-heights';

const MANY = 700_000;

/** The tops of the first rows, one after the other. */
function topsOf(heights: RowHeights, count: number): number[] {
  let top = 0;
  return Array.from({ length: count }, (_, row) => {
    const own = top;
    top += heights.heightOf(row);
    return own;
  });
}

test('of many rows only those of another height are kept', () => {
  const heights = new RowHeights(18);
  expect(heights.topOf(MANY)).toBe(MANY * 18);
  for (let row = 0; row < 40; row++) heights.set(1_000 + row, row % 2 === 0 ? 36 : 18);
  expect(heights.size).toBe(20);
  expect(heights.topOf(MANY)).toBe(MANY * 18 + 20 * 18);
});

test('a row stands where those before it end, in whatever order they were measured', () => {
  const heights = new RowHeights(18);
  for (const [row, height] of [
    [7, 54],
    [2, 36],
    [9, 36],
    [2, 90],
    [7, 18],
    [0, 20],
  ] as const) {
    heights.set(row, height);
  }
  const tops = topsOf(heights, 12);
  expect(tops.map((_, row) => heights.topOf(row))).toEqual(tops);
  for (const [row, top] of tops.entries()) {
    expect(heights.rowAt(top, 12)).toBe(row);
    expect(heights.rowAt(top + heights.heightOf(row) - 1, 12)).toBe(row);
  }
});

test('a measure tells by how much a row became taller', () => {
  const heights = new RowHeights(18);
  expect(heights.set(3, 36)).toBe(18);
  expect(heights.set(3, 36)).toBe(0);
  expect(heights.set(3, 18)).toBe(-18);
  expect(heights.set(4, 18)).toBe(0);
  expect(heights.size).toBe(0);
});

test('a distance beyond the rows is the last of them', () => {
  const heights = new RowHeights(18);
  expect(heights.rowAt(1_000_000, 10)).toBe(9);
  expect(heights.rowAt(-5, 10)).toBe(0);
  expect(heights.rowAt(0, 0)).toBe(0);
});
