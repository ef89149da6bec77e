import { create } from 'zustand';
import type {
  CallReport,
  CommandError,
  FailureReport,
  FrameId,
  PastCall,
  ServerId,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import type { Target } from '@/state/navigation';
import { useCalls } from './calls';
import { callOfTask } from './tasks';

/** One call, read or prompt: under way or ended. */
export interface Run {
  /** The window's name for the call. */
  key: string;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  /** The end of one that was made here. It may have waited before it was sent: to be confirmed. */
  endedAt?: number;
  /** The arguments as they were sent, as JSON, where it has any. */
  input?: string;
  /** The id of the task that the server made of it: the report comes when that has ended. */
  task?: string;
  /** It was taken from the record. */
  isPast?: boolean;
  /** Secrets in its arguments are masked: as they are, they cannot be sent. */
  isMasked?: boolean;
  /** The key of an earlier run that it is compared with. */
  comparedWith?: string | undefined;
  report?: CallReport;
  /** The command itself failed: nothing was sent, or nothing could be said about it. */
  failure?: CommandError;
}

/** The tools, prompts and resources of which runs are kept. */
const MAX_SUBJECTS = 50;
/** The runs kept of each. */
export const MAX_RUNS = 20;
/** The runs kept of all together; of each the last one stays. */
const MAX_ALL_RUNS = 200;

interface RunsState {
  /** The runs by what was run, oldest first; the least recently started subject first. */
  runs: ReadonlyMap<string, readonly Run[]>;
  /** The run that is shown of a subject, by its key, where that is not the last. */
  shown: ReadonlyMap<string, string>;
}

const useStore = create<RunsState>(() => ({ runs: new Map(), shown: new Map() }));

const NONE: readonly Run[] = [];

/** The id under which the runs of a tool, prompt or resource are kept. */
export function runIdOf(
  kind: 'tool' | 'prompt' | 'resource',
  server: ServerId,
  name: string,
): string {
  return `${server}\n${kind}\n${name}`;
}

function begin(id: string, run: Run) {
  const runs = new Map(useStore.getState().runs);
  const before = runs.get(id) ?? NONE;
  runs.delete(id);
  runs.set(id, newest([...before, run]));
  for (const [oldest, old] of runs) {
    if (runs.size <= MAX_SUBJECTS) break;
    if (!isRunning(old.at(-1))) runs.delete(oldest);
  }
  let count = [...runs.values()].reduce((sum, some) => sum + some.length, 0);
  for (const [oldest, old] of runs) {
    if (count <= MAX_ALL_RUNS) break;
    const kept = old.slice(-Math.max(1, old.length - (count - MAX_ALL_RUNS)));
    count -= old.length - kept.length;
    runs.set(oldest, kept);
  }
  // What was just started is what is looked at.
  const shown = new Map(useStore.getState().shown);
  shown.delete(id);
  useStore.setState({ runs, shown });
}

/** The newest of the runs that were made here, and of those that were taken from the record. */
function newest(runs: readonly Run[]): readonly Run[] {
  const past = runs.filter(({ isPast }) => isPast).slice(-MAX_RUNS);
  const made = runs.filter(({ isPast }) => !isPast).slice(-MAX_RUNS);
  return runs.filter((run) => past.includes(run) || made.includes(run));
}

/** Takes a call on record among the runs of its tool, at its place in time, and returns it. */
export function takeFromRecord(id: string, past: PastCall): Run {
  const before = useStore.getState().runs.get(id) ?? NONE;
  const frame = past.report.request.requestFrame;
  const known = before.find((run) => run.report?.request.requestFrame === frame);
  if (known) return known;
  const run: Run = {
    key: `record ${past.id}`,
    startedAt: past.at,
    input: past.input ?? undefined,
    isPast: true,
    isMasked: past.isMasked,
    report: past.report,
  };
  // The one that is looked at is kept, however many older ones there are.
  const others = before.filter(({ isPast }) => isPast);
  const oldest = others.length >= MAX_RUNS ? others[0] : undefined;
  const kept = [...before.filter((other) => other !== oldest), run];
  const runs = new Map(useStore.getState().runs);
  runs.set(
    id,
    kept.sort((one, other) => one.startedAt - other.startedAt),
  );
  useStore.setState({ runs });
  return run;
}

function settle(id: string, key: string, ended: Partial<Run>) {
  const before = useStore.getState().runs.get(id);
  if (!before?.some((run) => run.key === key)) return;
  const runs = new Map(useStore.getState().runs);
  runs.set(
    id,
    before.map((run) => (run.key === key ? { ...run, ...ended } : run)),
  );
  useStore.setState({ runs });
}

export function isRunning(run: Run | undefined): boolean {
  return run !== undefined && run.report === undefined && run.failure === undefined;
}

/** The call that the questions of a run belong to. */
export function questionCallOf({ key, task }: Run): string {
  return task === undefined ? key : callOfTask(task);
}

/**
 * Keeps track of a request from its start to its end. Where the server makes a task of it,
 * `finish` waits for that.
 */
export async function track(
  id: string,
  run: Pick<Run, 'key' | 'input' | 'comparedWith'>,
  start: () => Promise<CallReport>,
  finish?: (task: string) => Promise<CallReport>,
): Promise<void> {
  const { key } = run;
  begin(id, { ...run, startedAt: Date.now() });
  useCalls.getState().begin(key);
  try {
    let report = await start();
    if (report.task && finish) {
      settle(id, key, { task: report.task.id });
      report = await finish(report.task.id);
    }
    settle(id, key, { report, endedAt: Date.now() });
  } catch (reason) {
    settle(id, key, { failure: asCommandError(reason) });
  } finally {
    useCalls.getState().end(key);
  }
}

/** The key of the last run that ended. */
export function lastEnded(id: string): string | undefined {
  return useStore
    .getState()
    .runs.get(id)
    ?.findLast((run) => !isRunning(run))?.key;
}

const TABS_OF = { tool: 'tools', prompt: 'prompts', resource: 'resources' } as const;

/**
 * The place that shows the outcome of a call under way; where the call cannot be told, of the only
 * one that there is.
 */
export function placeOfCall(server: ServerId, call: string | null): Target | null {
  const found = [...useStore.getState().runs].filter(
    ([id, runs]) =>
      id.startsWith(`${server}\n`) &&
      runs.some((run) => isRunning(run) && (call === null || questionCallOf(run) === call)),
  );
  const [, kind, ...name] = found.length === 1 ? (found[0]?.[0].split('\n') ?? []) : [];
  if (kind === undefined) return null;
  return { server, tab: TABS_OF[kind as keyof typeof TABS_OF], item: name.join('\n') };
}

/** Shows one of the runs, instead of the last. */
export function showRun(id: string, key: string): void {
  const { runs, shown: before } = useStore.getState();
  const shown = new Map(before);
  if (runs.get(id)?.at(-1)?.key === key) shown.delete(id);
  else shown.set(id, key);
  useStore.setState({ shown });
}

/** The key of the call of a tool that is under way; empty without one. */
export function runningCall(server: ServerId, tool: string): string {
  const runs = useStore.getState().runs.get(runIdOf('tool', server, tool));
  return runs?.findLast(isRunning)?.key ?? '';
}

/** The failure of the call that was sent with this frame, where it was made here. */
export function useCallFailure(frame: FrameId | null): FailureReport | null {
  return useStore(({ runs }) => {
    if (frame === null) return null;
    for (const run of [...runs.values()].flat()) {
      const request = run.report?.request;
      if (request?.requestFrame === frame) return request.failure;
    }
    return null;
  });
}

/** All runs that are kept, oldest first. */
export function useRuns(id: string | null): readonly Run[] {
  return useStore((state) => (id === null ? NONE : (state.runs.get(id) ?? NONE)));
}

/** The last run. */
export function useRun(id: string | null): Run | undefined {
  return useRuns(id).at(-1);
}

/** The run that is shown: the chosen one, else the last. */
export function useShownRun(id: string | null): Run | undefined {
  const runs = useRuns(id);
  const key = useStore((state) => (id === null ? undefined : state.shown.get(id)));
  return runs.find((run) => run.key === key) ?? runs.at(-1);
}
