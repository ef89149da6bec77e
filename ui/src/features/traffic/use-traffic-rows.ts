import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBackend } from '@/backend/backend';
import { useRecordStore } from '@/state/recording';
import { type Selection, TrafficRows } from './traffic-rows';

/**
 * The rows of the record that match `selection`, kept as the record grows while they are
 * `visible`. A component names the part that it shows with `useRows`.
 */
export function useTrafficRows(selection: Selection, visible: boolean): TrafficRows {
  const backend = useBackend();
  const record = useRecordStore();
  const [rows] = useState(() => new TrafficRows(backend.trafficWindow, selection));

  useEffect(() => {
    if (!visible) return;
    rows.open();
    // Outside of React: many pulses a second only concern the rows.
    const unsubscribe = record.subscribe((state, before) => {
      if (state.pulse !== before.pulse) rows.pulse();
    });
    return () => {
      unsubscribe();
      rows.close();
    };
  }, [rows, record, visible]);

  useEffect(() => {
    rows.select(selection);
  }, [rows, selection]);

  return rows;
}

/** Returns a value made of the rows, which is equal to itself while it does not change. */
export function useRows<T>(rows: TrafficRows, read: () => T): T {
  return useSyncExternalStore(rows.subscribe, read);
}
