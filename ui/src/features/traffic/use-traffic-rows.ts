import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBackend } from '@/backend/backend';
import { useRecording } from '@/state/recording';
import { type Selection, TrafficRows } from './traffic-rows';

/**
 * The rows of the record that match `selection`, kept as the record grows while they are
 * `visible`. A component names the part that it shows with `useRows`.
 */
export function useTrafficRows(selection: Selection, visible: boolean): TrafficRows {
  const backend = useBackend();
  const [rows] = useState(() => new TrafficRows(backend.trafficWindow, selection));

  useEffect(() => {
    if (!visible) return;
    rows.open();
    // Outside of React: many pulses a second only concern the rows.
    const unsubscribe = useRecording.subscribe((state, before) => {
      if (state.pulse !== before.pulse) rows.pulse();
    });
    return () => {
      unsubscribe();
      rows.close();
    };
  }, [rows, visible]);

  useEffect(() => {
    rows.select(selection);
  }, [rows, selection]);

  return rows;
}

/** Returns a value made of the rows, which is equal to itself while it does not change. */
export function useRows<T>(rows: TrafficRows, read: () => T): T {
  return useSyncExternalStore(rows.subscribe, read);
}
