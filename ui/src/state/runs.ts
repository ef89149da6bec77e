import { create } from 'zustand';
import type { CallReport, CommandError } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useCalls } from '@/state/calls';

/** One call, read or prompt: under way or ended. */
export interface Run {
  /** The window's name for the call. */
  key: string;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  report?: CallReport;
  /** The command itself failed: nothing was sent, or nothing could be said about it. */
  failure?: CommandError;
}

/** The last run of so many tools is kept. */
const MAX_RUNS = 50;

interface RunsState {
  /** The runs by what was run; the least recently started first. */
  runs: ReadonlyMap<string, Run>;
}

const useRuns = create<RunsState>(() => ({ runs: new Map() }));

function put(id: string, run: Run) {
  const runs = new Map(useRuns.getState().runs);
  runs.delete(id);
  runs.set(id, run);
  for (const [oldest, old] of runs) {
    if (runs.size <= MAX_RUNS) break;
    if (!isRunning(old)) runs.delete(oldest);
  }
  useRuns.setState({ runs });
}

export function isRunning(run: Run | undefined): boolean {
  return run !== undefined && run.report === undefined && run.failure === undefined;
}

/** Keeps track of a request from its start to its end. A newer run of the same thing wins. */
export async function track(
  id: string,
  key: string,
  start: () => Promise<CallReport>,
): Promise<void> {
  const begun: Run = { key, startedAt: Date.now() };
  put(id, begun);
  useCalls.getState().begin(key);
  const settle = (ended: Partial<Run>) => {
    if (useRuns.getState().runs.get(id)?.key === key) put(id, { ...begun, ...ended });
  };
  try {
    settle({ report: await start() });
  } catch (reason) {
    settle({ failure: asCommandError(reason) });
  } finally {
    useCalls.getState().end(key);
  }
}

export function useRun(id: string | null): Run | undefined {
  return useRuns((state) => (id === null ? undefined : state.runs.get(id)));
}
