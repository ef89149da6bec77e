import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { showError } from '@/state/notices';
import { useRecording } from '@/state/record/recording';
import { HistoryRows } from './history-rows';

/** The calls of a tool that are on record, kept as the record grows. */
export function useHistory(server: ServerId, tool: string): HistoryRows {
  const backend = useBackend();
  const [rows] = useState(
    () =>
      new HistoryRows(
        (offset, limit) => backend.listToolCalls(server, tool, offset, limit),
        showError,
      ),
  );
  useEffect(() => {
    rows.open();
    const leaveRecord = useRecording.subscribe((state, before) => {
      if (state.revision !== before.revision) rows.refresh();
    });
    return () => {
      leaveRecord();
      rows.close();
    };
  }, [rows]);
  useSyncExternalStore(rows.subscribe, rows.getVersion);
  return rows;
}
