import { describe, expect, it } from 'vitest';
import {
  isScaled,
  lastPosition,
  MAX_HEIGHT,
  physicalHeight,
  positionShowing,
  rowsAt,
  toPhysical,
  toVirtual,
} from './scroll-scale';

const ROW = 26;
const few = { content: 1_000 * ROW, viewport: 260 };
const many = { content: 10_000_000 * ROW, viewport: 260 };

describe('a table that fits below the cap', () => {
  it('scrolls one to one', () => {
    expect(isScaled(few)).toBe(false);
    expect(physicalHeight(few)).toBe(26_000);
    expect(toVirtual(1_234, few)).toBe(1_234);
    expect(toPhysical(1_234, few)).toBe(1_234);
  });

  it('does not scroll past its ends', () => {
    expect(toVirtual(-5, few)).toBe(0);
    expect(toVirtual(99_999, few)).toBe(26_000 - 260);
    expect(lastPosition({ content: 52, viewport: 260 })).toBe(0);
  });
});

describe('a table of ten million rows', () => {
  it('is never given more height than the cap', () => {
    expect(isScaled(many)).toBe(true);
    expect(physicalHeight(many)).toBe(MAX_HEIGHT);
  });

  it('reaches its first and its last row', () => {
    expect(toVirtual(0, many)).toBe(0);
    const bottom = toVirtual(MAX_HEIGHT - many.viewport, many);
    expect(bottom).toBe(lastPosition(many));
    const { end } = rowsAt(bottom, many.viewport, { count: 10_000_000, height: ROW }, 4);
    expect(end).toBe(10_000_000);
  });

  it('comes back to the same scrollbar position from every position of it', () => {
    for (const physical of [0, 1, 17, 4_321_000, 7_500_000, MAX_HEIGHT - many.viewport]) {
      expect(toPhysical(toVirtual(physical, many), many)).toBe(physical);
    }
  });

  it('counts rows exactly in the middle', () => {
    const { first, end } = rowsAt(
      5_000_000 * ROW,
      many.viewport,
      { count: 10_000_000, height: ROW },
      0,
    );
    expect(first).toBe(5_000_000);
    expect(end).toBe(5_000_010);
  });
});

describe('the rows that are drawn', () => {
  const rows = { count: 100, height: ROW };

  it('include those seen in part, and a margin', () => {
    expect(rowsAt(13, 260, rows, 0)).toEqual({ first: 0, end: 11 });
    expect(rowsAt(260, 260, rows, 3)).toEqual({ first: 7, end: 23 });
  });

  it('stay within the table', () => {
    expect(rowsAt(0, 260, rows, 3).first).toBe(0);
    expect(rowsAt(2_340, 260, rows, 3).end).toBe(100);
    expect(rowsAt(500, 260, { count: 0, height: ROW }, 3)).toEqual({ first: 0, end: 0 });
  });
});

describe('showing a row', () => {
  it('moves as little as it can', () => {
    expect(positionShowing(12, 260, ROW, few)).toBe(260);
    expect(positionShowing(5, 260, ROW, few)).toBe(130);
    expect(positionShowing(30, 260, ROW, few)).toBe(31 * ROW - 260);
    expect(positionShowing(999, 0, ROW, few)).toBe(26_000 - 260);
  });
});
