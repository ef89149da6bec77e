import { describe, expect, it } from 'vitest';
import { type Cursor, moveOfKey, rowOfCursor } from './grid-keys';

const EXTENT = { first: -1, rows: 10, columns: 4, page: 5 };

function press(key: string, at: Cursor, ctrlKey = false) {
  return moveOfKey({ key, ctrlKey, metaKey: false, altKey: false }, at, EXTENT);
}

describe('the keys of the grid', () => {
  it('move by one with arrows and letters, and stop at the edges', () => {
    expect(press('ArrowDown', { row: 0, column: 1 })).toEqual({ row: 1, column: 1 });
    expect(press('j', { row: 9, column: 1 })).toEqual({ row: 9, column: 1 });
    expect(press('ArrowRight', { row: 2, column: 3 })).toEqual({ row: 2, column: 3 });
    expect(press('h', { row: 2, column: 1 })).toEqual({ row: 2, column: 0 });
  });

  it('reach the files above the first server, and only where there is one', () => {
    expect(press('ArrowUp', { row: 0, column: 2 })).toEqual({ row: -1, column: 2 });
    expect(press('ArrowUp', { row: 0, column: 0 })).toEqual({ row: 0, column: 0 });
    expect(press('ArrowLeft', { row: -1, column: 1 })).toBeNull();
    expect(press('ArrowDown', { row: -1, column: 2 })).toEqual({ row: 0, column: 2 });
  });

  it('go to the ends of a row, and with Ctrl to those of the grid', () => {
    expect(press('End', { row: 3, column: 0 })).toEqual({ row: 3, column: 3 });
    expect(press('Home', { row: 3, column: 2 })).toEqual({ row: 3, column: 0 });
    expect(press('End', { row: 3, column: 0 }, true)).toEqual({ row: 9, column: 3 });
    expect(press('Home', { row: 3, column: 2 }, true)).toEqual({ row: 0, column: 0 });
  });

  it('go by pages', () => {
    expect(press('PageDown', { row: 2, column: 1 })).toEqual({ row: 7, column: 1 });
    expect(press('PageUp', { row: 2, column: 1 })).toEqual({ row: 0, column: 1 });
  });

  it('leave other keys, and those held with Ctrl, to others', () => {
    expect(press('m', { row: 0, column: 0 })).toBeNull();
    expect(press('j', { row: 0, column: 0 }, true)).toBeNull();
  });
});

describe('rowOfCursor', () => {
  const rows = ['a', 'b', 'c'].map((key) => ({ key }));

  it('stays with what is selected when rows change their order', () => {
    expect(rowOfCursor(1, rows, new Set(['b']))).toBe(1);
    expect(rowOfCursor(1, rows, new Set(['c']))).toBe(2);
    expect(rowOfCursor(7, rows, new Set(['a']))).toBe(0);
  });

  it('stays within the rows when what is selected is not among them', () => {
    expect(rowOfCursor(7, rows, new Set(['z']))).toBe(2);
    expect(rowOfCursor(1, rows, new Set())).toBe(1);
    expect(rowOfCursor(-1, rows, new Set(['c']))).toBe(-1);
    expect(rowOfCursor(0, [], new Set(['c']))).toBe(-1);
  });
});
