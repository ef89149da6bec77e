import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExchangeRow } from '@/backend/bindings';

/** A moment or a stretch of time; without a duration while it goes on. */
export type Timed = Pick<ExchangeRow, 'at' | 'duration' | 'outcome'>;

/** The stretch of time that the rows on the screen span, in milliseconds since the Unix epoch. */
export interface TimeScale {
  readonly start: number;
  readonly end: number;
}

/** The beginning and the length of a bar, as parts of the whole. */
interface Bar {
  readonly left: number;
  readonly width: number;
}

/**
 * The shortest span that is drawn, in milliseconds: below it everything would fill the column and
 * say nothing.
 */
const MIN_SPAN = 10;

/** The scale for these rows; `now` is where pending ones end. */
export function timeScale(rows: readonly Timed[], now: number): TimeScale {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    start = Math.min(start, beginningOf(row));
    end = Math.max(end, endOf(row, now));
  }
  if (start > end) return { start: now, end: now + MIN_SPAN };
  return { start, end: Math.max(end, start + MIN_SPAN) };
}

/** The bar of a row. What took no time of its own is a mark without width. */
export function barOf(row: Timed, scale: TimeScale, now: number): Bar {
  const span = scale.end - scale.start;
  const left = clampPart((beginningOf(row) - scale.start) / span);
  const right = clampPart((endOf(row, now) - scale.start) / span);
  return { left, width: Math.max(0, right - left) };
}

function beginningOf(row: Timed): number {
  return row.at ?? 0;
}

function endOf(row: Timed, now: number): number {
  const beginning = beginningOf(row);
  if (row.outcome === 'pending') return Math.max(beginning, now);
  return beginning + Math.max(0, row.duration ?? 0);
}

function clampPart(part: number): number {
  return Math.min(Math.max(0, part), 1);
}

/** Milliseconds after which what is under way is drawn longer. */
const TICK_INTERVAL = 200;

/**
 * The time, which goes on only while something on the screen is under way; `watch` tells whether
 * that is so.
 */
export function useNow(): { readonly now: number; readonly watch: (isUnderWay: boolean) => void } {
  const [now, setNow] = useState(Date.now);
  const isUnderWay = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (isUnderWay.current) setNow(Date.now());
    }, TICK_INTERVAL);
    return () => clearInterval(timer);
  }, []);
  const watch = useCallback((is: boolean) => {
    isUnderWay.current = is;
  }, []);
  return { now, watch };
}
