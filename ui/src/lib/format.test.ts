import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatMoment,
  formatQuantity,
  formatSize,
  formatTime,
  formatTimestamp,
  formatTokens,
  listOf,
} from './format';

describe('durations', () => {
  it.each([
    [0, '0.0 ms'],
    [0.42, '0.4 ms'],
    [4.1, '4.1 ms'],
    [38.44, '38.4 ms'],
    [99.96, '100 ms'],
    [181, '181 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [59_940, '59.9 s'],
    [59_960, '1 m 00 s'],
    [125_000, '2 m 05 s'],
    [3_599_900, '1 h 00 m'],
    [3_900_000, '1 h 05 m'],
  ])('%d ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('a clock that went backwards does not give a negative duration', () => {
    expect(formatDuration(-3)).toBe('0.0 ms');
  });
});

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [412, '412 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [18_637, '18.2 KB'],
    [185_344, '181 KB'],
    [1_048_575, '1.0 MB'],
    [2_202_010, '2.1 MB'],
    [52_428_800, '50.0 MB'],
    [3_221_225_472, '3.0 GB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe('times', () => {
  const afternoon = new Date(2026, 10, 20, 14, 2, 11, 4).getTime();

  it('are to the millisecond, with all digits', () => {
    expect(formatTime(afternoon)).toBe('14:02:11.004');
    expect(formatTime(new Date(2026, 0, 1, 0, 0, 0, 56).getTime())).toBe('00:00:00.056');
    expect(formatTime(new Date(2026, 0, 1, 9, 8, 7, 204).getTime())).toBe('09:08:07.204');
  });

  it('name the day only when it was another one', () => {
    expect(formatMoment(afternoon, afternoon + 60_000)).toBe('14:02:11.004');
    expect(formatMoment(afternoon, new Date(2026, 10, 21, 1).getTime())).toBe('11-20 14:02:11');
    expect(formatMoment(afternoon, new Date(2027, 10, 20, 15).getTime())).toBe('11-20 14:02:11');
  });

  it('can be given whole', () => {
    expect(formatTimestamp(afternoon)).toBe('2026-11-20 14:02:11.004');
  });
});

describe('counts', () => {
  it('have separators', () => {
    expect(formatCount(0)).toBe('0');
    expect(formatCount(999)).toBe('999');
    expect(formatCount(12_408)).toBe('12,408');
    expect(formatCount(10_000_000)).toBe('10,000,000');
  });

  it('of tokens are rounded, also millions', () => {
    expect([940, 4400, 34_000, 999_600, 3_401_733].map(formatTokens)).toEqual([
      '≈940',
      '≈4.4k',
      '≈34k',
      '≈1.0M',
      '≈3.4M',
    ]);
  });

  it('agree with their noun', () => {
    expect(formatQuantity(1, 'message')).toBe('1 message');
    expect(formatQuantity(0, 'message')).toBe('0 messages');
    expect(formatQuantity(1204, 'match', 'matches')).toBe('1,204 matches');
  });
});

describe('listOf', () => {
  it('joins names as a sentence does', () => {
    expect([listOf(['A']), listOf(['A', 'B']), listOf(['A', 'B', 'C'])]).toEqual([
      'A',
      'A and B',
      'A, B, and C',
    ]);
  });
});
