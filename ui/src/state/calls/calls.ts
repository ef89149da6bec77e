import { create } from 'zustand';
import type { Progress } from '@/backend/bindings';

interface CallsState {
  /** The latest progress of each running call, by the key it was started with. */
  progress: Record<string, Progress>;
  /** The calls that are under way; progress of others is of no interest. */
  begin(key: string): void;
  report(key: string, progress: Progress): void;
  end(key: string): void;
}

const NOT_YET: Progress = { progress: 0, total: null, message: null };

export const useCalls = create<CallsState>((set) => ({
  progress: {},
  begin: (key) => set((state) => ({ progress: { ...state.progress, [key]: NOT_YET } })),
  report: (key, progress) =>
    set((state) =>
      key in state.progress ? { progress: { ...state.progress, [key]: progress } } : state,
    ),
  end: (key) =>
    set((state) => {
      const { [key]: _ended, ...rest } = state.progress;
      return { progress: rest };
    }),
}));

/** The latest progress of a call, or nothing when it made none. */
export function useProgress(key: string | null): Progress | undefined {
  return useCalls((state) => {
    const progress = key === null ? undefined : state.progress[key];
    return progress === NOT_YET ? undefined : progress;
  });
}

let last = 0;

/** A name for a new call, unlike every other of this window. */
export function newCallKey(): string {
  last += 1;
  return `${Date.now().toString(36)}-${last}`;
}
