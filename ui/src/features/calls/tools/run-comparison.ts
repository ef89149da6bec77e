import { create } from 'zustand';

interface RunPair {
  /** The keys of two runs, the earlier first. */
  first: string;
  second: string;
}

/** The two runs that are compared, by the id of what was run. */
const usePairs = create<Readonly<Record<string, RunPair | undefined>>>(() => ({}));

export function compareRuns(runId: string, pair: RunPair): void {
  usePairs.setState({ [runId]: pair });
}

export function endRunComparison(runId: string): void {
  if (usePairs.getState()[runId] !== undefined) usePairs.setState({ [runId]: undefined });
}

export function useRunPair(runId: string | null): RunPair | undefined {
  return usePairs((state) => (runId === null ? undefined : state[runId]));
}
