import { useCallback, useRef } from 'react';
import type { ExchangeId } from '@/backend/bindings';
import type { TrafficFrame } from '../messages/TrafficCells';
import { useNow } from './use-now';
import { type Timed, timeScale } from './waterfall';

/** Facts about rows that their common frame is made of. */
interface FrameTraits<Row> {
  timeOf(row: Row): Timed;
  /** The call that a row came during. */
  callOf(row: Row): ExchangeId | null;
}

/** The time scale of the rows on the screen; the same object while it stays the same scale. */
export function useFrame<Row>({
  timeOf,
  callOf,
}: FrameTraits<Row>): (rows: readonly Row[]) => TrafficFrame {
  const { now, watch } = useNow();
  const last = useRef<TrafficFrame | null>(null);
  return useCallback(
    (rows) => {
      const times = rows.map(timeOf);
      const isPending = times.some(({ outcome }) => outcome === 'pending');
      watch(isPending);
      const scale = timeScale(times, now);
      const { current: known } = last;
      const calls = new Set(rows.flatMap((row) => callOf(row) ?? []));
      const isSame =
        known !== null &&
        known.calls.size === calls.size &&
        [...calls].every((call) => known.calls.has(call)) &&
        known.scale.start === scale.start &&
        known.scale.end === scale.end &&
        (known.now === now || !isPending);
      if (isSame) return known;
      last.current = { scale, now, calls };
      return last.current;
    },
    [now, watch, timeOf, callOf],
  );
}
