import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBackend } from '@/backend/backend';
import { showError } from '@/state/notices';
import { useRecordStore } from '@/state/record/recording';
import type { Selection } from '../filter/selection';
import { type TrafficRows, trafficRows } from '../messages/traffic-rows';
import { OperationRows } from '../operations/operation-rows';
import type { RecordRows } from './record-rows';

/**
 * The messages of the record that match `selection`, kept as the record grows while they are
 * `visible`. A component names the part that it shows with `useRows`.
 */
export function useTrafficRows(selection: Selection, visible: boolean): TrafficRows {
  const backend = useBackend();
  const [rows] = useState(() => trafficRows(backend.listTraffic, selection));
  useKept(rows, rows, selection, visible);
  return rows;
}

/** The operations of the record of which a message matches `selection`, kept in the same way. */
export function useOperationRows(selection: Selection, visible: boolean): OperationRows {
  const backend = useBackend();
  const [rows] = useState(() => new OperationRows(backend, selection, showError));
  useKept(rows, rows.list, selection, visible);
  return rows;
}

function useKept<Row>(
  rows: { open(): void; close(): void },
  list: RecordRows<Row>,
  selection: Selection,
  visible: boolean,
): void {
  const record = useRecordStore();
  useEffect(() => {
    if (!visible) return;
    rows.open();
    // Outside of React: many revisions a second only concern the rows.
    const unsubscribe = record.subscribe((state, before) => {
      if (state.revision !== before.revision) list.refresh();
    });
    return () => {
      unsubscribe();
      rows.close();
    };
  }, [rows, list, record, visible]);

  useEffect(() => {
    list.select(selection);
  }, [list, selection]);
}

/** Returns a value made of the rows, which is equal to itself while it does not change. */
export function useRows<T>(
  rows: { readonly subscribe: (listener: () => void) => () => void },
  read: () => T,
): T {
  return useSyncExternalStore(rows.subscribe, read);
}
