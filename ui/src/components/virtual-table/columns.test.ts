import { describe, expect, it } from 'vitest';
import { type Column, cellFlex, clampWidth, fittingColumns, widthProperties } from './columns';

const cell = () => null;
const columns: Column<unknown, unknown>[] = [
  { id: 'number', title: '#', width: 56, cell },
  { id: 'target', title: 'Target', width: 120, takesRest: true, cell },
  { id: 'time', title: 'Time', width: 104, yields: 1, cell },
  { id: 'waterfall', title: 'Waterfall', width: 230, yields: 2, cell },
];

describe('columns', () => {
  it('disappear one after the other as the table narrows', () => {
    const ids = (width: number) => fittingColumns(columns, width).map((column) => column.id);
    expect(ids(534)).toEqual(['number', 'target', 'time', 'waterfall']);
    expect(ids(533)).toEqual(['number', 'target', 'time']);
    expect(ids(303)).toEqual(['number', 'target']);
    expect(ids(20)).toEqual(['number', 'target']);
  });

  it('have the width that the user chose, and one takes the rest', () => {
    const widths = widthProperties(columns, { number: 80, target: 200 });
    expect(widths).toEqual({
      '--width-number': '80px',
      '--width-target': '200px',
      '--width-time': '104px',
      '--width-waterfall': '230px',
    });
    expect(columns.map(cellFlex).slice(0, 2)).toEqual([
      '0 0 var(--width-number)',
      '1 0 var(--width-target)',
    ]);
  });

  it('can neither vanish nor fill the screen', () => {
    expect(clampWidth(3)).toBe(40);
    expect(clampWidth(5000)).toBe(800);
    expect(clampWidth(104.6)).toBe(105);
  });
});
