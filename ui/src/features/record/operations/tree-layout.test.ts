import { describe, expect, it } from 'vitest';
import { lineCount, lineOf, placeOf } from './tree-layout';

const TREES = [
  { index: 1, lines: 3 },
  { index: 2, lines: 0 },
  { index: 4, lines: 10_000 },
];

describe('a list with open trees', () => {
  it('has the lines of its rows and of the trees below them', () => {
    expect(lineCount(6, TREES)).toBe(10_009);
    expect(lineCount(6, [])).toBe(6);
    // A tree whose root is not listed has no line.
    expect(lineCount(4, TREES)).toBe(7);
  });

  it('finds what stands at a line', () => {
    expect(placeOf(0, TREES)).toEqual({ index: 0, offset: 0 });
    expect(placeOf(1, TREES)).toEqual({ index: 1, offset: 0 });
    expect(placeOf(4, TREES)).toEqual({ index: 1, offset: 3 });
    expect(placeOf(5, TREES)).toEqual({ index: 2, offset: 0 });
    expect(placeOf(7, TREES)).toEqual({ index: 4, offset: 0 });
    expect(placeOf(10_007, TREES)).toEqual({ index: 4, offset: 10_000 });
    expect(placeOf(10_008, TREES)).toEqual({ index: 5, offset: 0 });
  });

  it('finds the line of each place', () => {
    for (const line of [0, 1, 2, 3, 4, 5, 6, 7, 8, 10_007, 10_008]) {
      expect(lineOf(placeOf(line, TREES), TREES)).toBe(line);
    }
    expect(lineOf({ index: 1, offset: 9 }, TREES)).toBe(4);
  });
});
