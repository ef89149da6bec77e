import { create } from 'zustand';
import type { RecordingState, RecordRevision } from '@/backend/bindings';

interface Recording {
  recording: RecordingState;
  /** The record itself is asked for by window whenever `revision` moves. */
  pulse: RecordRevision;
  setRecording(recording: RecordingState): void;
  setPulse(pulse: RecordRevision): void;
}

export const useRecording = create<Recording>((set) => ({
  recording: { frames: 0, size: 0, dropped: 0, off: null, path: '' },
  pulse: { frames: 0, revision: 0 },
  setRecording: (recording) => set({ recording }),
  setPulse: (pulse) => set({ pulse }),
}));
