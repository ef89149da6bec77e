import { create } from 'zustand';

/** The tools of which the history is shown, by the id of their runs. */
const useShown = create<Readonly<Record<string, boolean | undefined>>>(() => ({}));

export function showHistory(runId: string): void {
  useShown.setState({ [runId]: true });
}

export function closeHistory(runId: string): void {
  if (useShown.getState()[runId]) useShown.setState({ [runId]: undefined });
}

export function useIsHistoryShown(runId: string | null): boolean {
  return useShown((state) => runId !== null && state[runId] === true);
}
