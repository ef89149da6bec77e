import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExchangeRow } from '@/backend/bindings';

/** A moment or a stretch of time; without a duration while it goes on. */
export type Timed = Pick<ExchangeRow, 'at' | 'duration' | 'outcome'>;

/** The stretch of time that the rows on the screen span, in milliseconds since the Unix epoch. */
export interface TimeScale {
  readonly start: number;
  readonly end: number;
  /** The stretches that are left out: nothing was under way for long. */
  readonly pauses?: readonly Stretch[];
}

type Stretch = readonly [from: number, to: number];

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
/** The shortest pause, in milliseconds, of which a part is left out. */
const MIN_PAUSE = 250;

/**
 * The scale for these rows; `now` is where pending ones end. Pauses longer than all that was under
 * way are shortened, so that calls a minute apart are more than dots.
 */
export function timeScale(rows: readonly Timed[], now: number): TimeScale {
  const times = rows.map((row): Stretch => [beginningOf(row), endOf(row, now)]);
  times.sort(([one], [other]) => one - other);
  const start = times[0]?.[0] ?? now;
  let end = start;
  let busy = 0;
  const pauses: Stretch[] = [];
  for (const [from, to] of times) {
    if (from > end) pauses.push([end, from]);
    busy += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  const scale = { start, end: Math.max(end, start + MIN_SPAN) };
  const long = pauses.filter(([from, to]) => to - from > Math.max(MIN_PAUSE, busy));
  if (long.length === 0) return scale;
  const margin = Math.max(MIN_SPAN, busy) / Math.max(4, long.length) / 2;
  return { ...scale, pauses: long.map(([from, to]) => [from + margin, to - margin]) };
}

/** The bar of a row. What took no time of its own is a mark without width. */
export function barOf(row: Timed, scale: TimeScale, now: number): Bar {
  const left = placeOf(beginningOf(row), scale);
  const right = placeOf(endOf(row, now), scale);
  return { left, width: Math.max(0, right - left) };
}

/** The place of a moment, as a part of the whole. */
function placeOf(moment: number, { start, end, pauses = [] }: TimeScale): number {
  const drawnUntil = (time: number) =>
    pauses.reduce(
      (drawn, [from, to]) => drawn - Math.max(0, Math.min(time, to) - from),
      time - start,
    );
  return Math.min(Math.max(0, drawnUntil(moment) / drawnUntil(end)), 1);
}

function beginningOf(row: Timed): number {
  return row.at ?? 0;
}

function endOf(row: Timed, now: number): number {
  const beginning = beginningOf(row);
  if (row.outcome === 'pending') return Math.max(beginning, now);
  return beginning + Math.max(0, row.duration ?? 0);
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
