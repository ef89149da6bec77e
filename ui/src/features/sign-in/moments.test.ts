import { describe, expect, it } from 'vitest';
import { fromNow } from '@/lib/moments';
import { momentText } from './moments';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('how long from now', () => {
  it.each([
    [20_000, 'in less than a minute'],
    [MINUTE, 'in 1 minute'],
    [59 * MINUTE, 'in 59 minutes'],
    [HOUR + 30 * MINUTE, 'in 90 minutes'],
    [2 * HOUR, 'in 2 hours'],
    [47 * HOUR, 'in 47 hours'],
    [3 * 24 * HOUR, 'in 3 days'],
    [-4 * MINUTE, '4 minutes ago'],
  ])('%d ms is %s', (away, text) => {
    expect(fromNow(1_000_000_000 + away, 1_000_000_000)).toBe(text);
  });
});

describe('a moment', () => {
  const noon = new Date(2026, 10, 20, 12, 0).getTime();

  it('is told with its day only when that is another', () => {
    expect(momentText(noon + HOUR, noon)).toBe('13:00');
    expect(momentText(noon + 24 * HOUR, noon)).toBe('2026-11-21 12:00');
  });
});
