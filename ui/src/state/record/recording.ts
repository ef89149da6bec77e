import { createContext, useContext } from 'react';
import { create, type StoreApi, useStore } from 'zustand';
import type { RecordingState, RecordRevision } from '@/backend/bindings';

interface Recording {
  recording: RecordingState;
  /** The record itself is asked for by window whenever `revision` moves. */
  revision: RecordRevision;
  setRecording(recording: RecordingState): void;
  setRevision(revision: RecordRevision): void;
}

/** State and revision of a record: that of the program, or that of an opened session. */
export type RecordStore = StoreApi<Recording>;

export const createRecordStore = () =>
  create<Recording>((set) => ({
    recording: { frames: 0, size: 0, dropped: 0, off: null, path: '' },
    revision: { frames: 0, revision: 0 },
    setRecording: (recording) => set({ recording }),
    setRevision: (revision) => set({ revision }),
  }));

/** The record of the program. */
export const useRecording = createRecordStore();

/** The record that the traffic shows; a `BackendContext` around it reads the same. */
export const RecordContext = createContext<RecordStore>(useRecording);

export function useRecordStore(): RecordStore {
  return useContext(RecordContext);
}

export function useRecord<T>(read: (state: Recording) => T): T {
  return useStore(useRecordStore(), read);
}
