import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBackend } from '@/backend/backend';
import type { TrafficQuery } from '@/backend/bindings';
import { useRecordStore } from '@/state/record/recording';
import { TimelineModel } from './timeline-model';

/** The rows whose selection a timeline shares. */
interface SharedRows {
  readonly subscribe: (listener: () => void) => () => void;
  query(): TrafficQuery;
}

/** The timeline of a record, kept as the record grows. */
export function useTimeline(rows: SharedRows): {
  readonly model: TimelineModel;
  readonly version: number;
} {
  const backend = useBackend();
  const record = useRecordStore();
  const [model] = useState(() => new TimelineModel(backend, () => rows.query()));
  const version = useSyncExternalStore(model.subscribe, model.getVersion);
  useEffect(() => {
    model.open();
    // A filter, or a pause, asks for others; so do older ones that were found.
    const leaveRows = rows.subscribe(() => model.refresh());
    const leaveRecord = record.subscribe((state, before) => {
      if (state.revision !== before.revision) model.refresh();
    });
    return () => {
      leaveRows();
      leaveRecord();
      model.close();
    };
  }, [model, rows, record]);
  return { model, version };
}
