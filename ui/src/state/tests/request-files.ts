import { create } from 'zustand';
import type { Backend } from '@/backend/backend';
import type {
  CaseReport,
  Millis,
  RequestPath,
  RequestRunEvent,
  RequestSelection,
  RequestsView,
  RequestTextView,
  RequestView,
  ServerId,
  ServerView,
  VerdictCounts,
} from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';
import { type Passed, useDialogs } from '@/state/dialogs';
import { ended, type Job, started } from '@/state/jobs';
import { useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { useSnapshot } from '@/state/snapshot';

/** A run of requests, as far as it is. */
export type RequestRun = Job<
  {
    id: number;
    paths: readonly RequestPath[];
    /** Requests that are under way. */
    active: ReadonlySet<RequestPath>;
    totals: VerdictCounts;
  },
  { duration: Millis }
>;

interface RequestFilesState {
  /** Absent until it was asked for. */
  view: RequestsView | null;
  run: RequestRun | null;
  /** The newest report of each request. */
  reports: Readonly<Record<RequestPath, CaseReport>>;
  selected: RequestPath | null;
  /** The selected folder, where no request is. */
  folder: string | null;
  environment: string | null;
  /** The path whose changes run the requests again. */
  watched: string | null;
  /** A selection that waits for the user's approval. */
  waiting: RunWish | null;
  replace(view: RequestsView): void;
  apply(event: RequestRunEvent): void;
  /** Takes a test as passed, since a call that has just been answered passes it. */
  pass(view: RequestTextView, server: ServerId, by: Passed): void;
  select(path: RequestPath | null): void;
  selectFolder(folder: string): void;
  chooseEnvironment(name: string | null): void;
  wait(wish: RunWish | null): void;
}

/** Requests that the user wants to run. */
export interface RunWish {
  selection: RequestSelection;
  update: boolean;
  /** The path whose changes run them again. */
  watch?: string;
}

const NONE: VerdictCounts = {
  passed: 0,
  failed: 0,
  error: 0,
  warning: 0,
  overridden: 0,
  note: 0,
  skipped: 0,
  notApplicable: 0,
};

export const useRequestFiles = create<RequestFilesState>((set) => ({
  view: null,
  run: null,
  reports: {},
  selected: null,
  folder: null,
  environment: null,
  watched: null,
  waiting: null,
  replace: (view) =>
    set(({ selected, environment }) => ({
      view,
      selected: view.requests.some(({ path }) => path === selected) ? selected : null,
      environment:
        environment !== null && view.environments.includes(environment) ? environment : null,
    })),
  apply: (event) => set((state) => applied(state, event)),
  pass: (view, server, by) =>
    set(({ reports }) => ({
      reports: { ...reports, [view.request.path]: passed(view, server, by) },
    })),
  select: (selected) => set({ selected, folder: null }),
  selectFolder: (folder) => set({ folder, selected: null }),
  chooseEnvironment: (environment) => set({ environment }),
  wait: (waiting) => set({ waiting }),
}));

function passed(view: RequestTextView, server: ServerId, by: Passed): CaseReport {
  const { requestFrame, responseFrame, duration } = by;
  const { path, name, server: serverName } = view.request;
  const nothing = { expected: null, actual: null, message: null, difference: null };
  const checks = view.expectations.map((one) => ({ ...one, passed: true, ...nothing }));
  const untold = { reason: null, evidence: [], hint: null, error: null, updated: [] };
  return {
    path,
    name,
    server,
    serverName,
    verdict: 'passed',
    checks,
    duration,
    ...untold,
    requestFrame,
    responseFrame,
  };
}

function applied(state: RequestFilesState, event: RequestRunEvent): Partial<RequestFilesState> {
  if (event.type === 'started') {
    const { run: id, paths } = event;
    return { run: started({ id, paths, active: new Set<RequestPath>(), totals: NONE }) };
  }
  if (event.type === 'watching') return { watched: event.path };
  const { run } = state;
  // Another run began since.
  if (!run || run.id !== event.run) return {};
  switch (event.type) {
    case 'running':
      return { run: { ...run, active: new Set([...run.active, event.path]) } };
    case 'finished': {
      const { path, verdict } = event.case;
      const active = new Set(run.active);
      active.delete(path);
      const totals = { ...run.totals, [verdict]: run.totals[verdict] + 1 };
      return {
        run: { ...run, active, totals },
        reports: { ...state.reports, [path]: event.case },
      };
    }
    case 'ended': {
      const { duration, problem } = event;
      const report = problem === null ? { duration } : null;
      return { run: ended(run, { report, problem }, { active: new Set() }) };
    }
  }
}

/** Returns the tests of a server. */
export function testsOf(
  view: RequestsView | null,
  { id, name }: Pick<ServerView, 'id' | 'name'>,
): readonly RequestView[] {
  // The file has the name, or the id with or without its origin.
  const names = [name, id, id.slice(id.indexOf(':') + 1)];
  return (view?.requests ?? []).filter(({ server }) => names.includes(server));
}

/** Selects these requests and no others. */
export function selectionOf(requests: readonly RequestView[]): RequestSelection {
  return { paths: requests.map(({ path }) => path), tag: null, server: null };
}

/** Reads the requests of the project. */
export async function loadRequests(backend: Backend): Promise<void> {
  try {
    useRequestFiles.getState().replace(await backend.getRequests());
  } catch (reason) {
    showError(reason);
  }
}

/**
 * Writes a request for each tool of a server, and shows the first, unless the user turned to
 * another one meanwhile.
 */
export async function writeStubs(backend: Backend, server: ServerId): Promise<void> {
  const selection = () => {
    const { selected, folder } = useRequestFiles.getState();
    return selected ?? folder;
  };
  const before = selection();
  try {
    const paths = await backend.createRequestStubs(server);
    showNote(wroteStubs(paths.length));
    const [first] = paths;
    if (first === undefined) return;
    await loadRequests(backend);
    if (selection() !== before) return;
    useRequestFiles.getState().select(first);
    useNavigation.getState().openTests();
  } catch (reason) {
    showError(reason);
  }
}

const wroteStubs = (count: number) =>
  count === 0 ? 'Every tool has a test already.' : `Wrote ${formatQuantity(count, 'test')}.`;

/** Number of folders that run side by side. */
const JOBS = 4;

/**
 * Runs requests. Where the folder is not trusted, or they would start or send something that is not
 * approved, that is asked first.
 */
export async function runRequests(backend: Backend, wish: RunWish): Promise<void> {
  // A request does at the user's own servers whatever its writer wants.
  if (useSnapshot.getState().folder.answer !== 'trusted') {
    const start = () => runTrusted(backend, wish);
    useDialogs.getState().showWhenFree({ kind: 'folder-trust', server: null, start });
    return;
  }
  await runTrusted(backend, wish);
}

async function runTrusted(backend: Backend, wish: RunWish): Promise<void> {
  try {
    const approvals = await backend.listRequestApprovals(wish.selection);
    if (approvals.length > 0) {
      useRequestFiles.getState().wait(wish);
      return;
    }
    await startRequests(backend, wish);
  } catch (reason) {
    showError(reason);
  }
}

/** Runs requests as they are approved: the others are reported as not approved. */
export async function startRequests(backend: Backend, wish: RunWish): Promise<void> {
  const { environment } = useRequestFiles.getState();
  const options = {
    selection: wish.selection,
    environment,
    update: wish.update,
    failFast: false,
    jobs: JOBS,
  };
  if (wish.watch === undefined) await backend.startRequestRun(options);
  else await backend.startWatch(options, wish.watch);
}
