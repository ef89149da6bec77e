import { describe, expect, it } from 'vitest';
import type { ExchangeRow } from '@/backend/bindings';
import { barOf, timeScale } from './waterfall';

function row(at: number, duration: number | null, outcome: ExchangeRow['outcome'] = 'ok') {
  return { at, duration, outcome } as ExchangeRow;
}

describe('the waterfall', () => {
  it('spans from the first beginning to the last end on the screen', () => {
    const rows = [row(1_000, 500), row(1_200, 100), row(1_900, null, 'none')];
    const scale = timeScale(rows, 99_000);
    expect(scale).toEqual({ start: 1_000, end: 1_900 });
    expect(barOf(rows[0] as ExchangeRow, scale, 99_000)).toEqual({ left: 0, width: 5 / 9 });
    expect(barOf(rows[2] as ExchangeRow, scale, 99_000)).toEqual({ left: 1, width: 0 });
  });

  it('leaves out most of a pause that is longer than the calls, so that these are seen', () => {
    const rows = [row(1_000, 40), row(61_000, 60)];
    const scale = timeScale(rows, 99_000);
    const [first, second] = rows.map((one) => barOf(one, scale, 99_000));
    expect(first?.left).toBe(0);
    expect(first?.width).toBeCloseTo(40 / 125);
    expect(second?.left).toBeCloseTo(65 / 125);
    expect(second?.width).toBeCloseTo(60 / 125);
  });

  it('draws calls and moments in their order, however far apart', () => {
    const rows = [row(0, 5), row(60_000, null, 'none'), row(120_000, 5), row(300_000, 5)];
    const scale = timeScale(rows, 999_000);
    const lefts = rows.map((one) => barOf(one, scale, 999_000).left);
    expect(lefts).toEqual([...lefts].sort((one, other) => one - other));
    expect(lefts.every((left) => left >= 0 && left <= 1)).toBe(true);
  });

  it('lets a pending request reach until now', () => {
    const pending = row(1_000, null, 'pending');
    const scale = timeScale([pending], 3_000);
    expect(scale).toEqual({ start: 1_000, end: 3_000 });
    expect(barOf(pending, scale, 2_000)).toEqual({ left: 0, width: 0.5 });
  });

  it('does not stretch a moment over the whole column', () => {
    expect(timeScale([row(1_000, 0)], 5_000)).toEqual({ start: 1_000, end: 1_010 });
  });

  it('survives clocks that were set back, and no rows', () => {
    const later = row(5_000, null, 'pending');
    expect(timeScale([later], 1_000)).toEqual({ start: 5_000, end: 5_010 });
    expect(barOf(later, { start: 0, end: 100 }, 1_000)).toEqual({ left: 1, width: 0 });
    expect(timeScale([], 7)).toEqual({ start: 7, end: 17 });
  });
});
