import { useMemo } from 'react';
import type {
  CaseReport,
  DoctorReport,
  Finding,
  ListChange,
  RequestPath,
  RequestView,
  ServerId,
  ServerView,
  SurfaceView,
  VerdictCounts,
} from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { isLive } from '@/state/servers/phases';
import { useSnapshot } from '@/state/snapshot';
import { testsOf, useRequestFiles } from '@/state/tests/request-files';
import {
  CHECK_PARTS,
  type CheckPart,
  type ConformanceRun,
  type LoadRun,
  useChecks,
} from './checks';
import { remarksOn, type ServerFinding } from './findings';
import { useSurfaces } from './surfaces';
import { changesText, countsText, JUDGED } from './texts';

/** Outcomes of a check, the worst first; `open` where nothing was looked at. */
const STATES = ['failed', 'warning', 'running', 'passed', 'open'] as const;

export type CheckState = (typeof STATES)[number];

export interface Judgement {
  state: CheckState;
  words: string;
  /** Number of things to look at. */
  count: number;
}

/** The verdict on a server: the worst of its parts. */
export interface ServerVerdict extends Judgement {
  parts: Readonly<Record<CheckPart, Judgement>>;
}

/** All that a verdict rests on. */
export interface Evidence {
  server: ServerView;
  doctor: DoctorReport | undefined;
  /** Null while the server is not connected. */
  findings: readonly ServerFinding[] | null;
  surface: SurfaceView | null;
  /** True where changes are the user's own. */
  isOwn: boolean;
  conformance: ConformanceRun | undefined;
  load: LoadRun | undefined;
  tests: readonly RequestView[];
  reports: Readonly<Record<RequestPath, CaseReport>>;
  isTesting: boolean;
}

/** Returns the verdict on a server, and on each part of its checks. */
export function verdictOf(evidence: Evidence): ServerVerdict {
  const parts: Record<CheckPart, Judgement> = {
    connection: judgeConnection(evidence),
    findings: judgeFindings(evidence),
    changes: judgeChanges(evidence),
    conformance: judgeConformance(evidence),
    load: judgeLoad(evidence),
    tests: judgeTests(evidence),
  };
  const all = CHECK_PARTS.map((part) => parts[part]);
  const bad = all.filter(({ state }) => isBad(state));
  const state = STATES.find((one) => all.some((part) => part.state === one)) ?? 'open';
  const { running, open, nothing } = JUDGED;
  const words =
    bad.map((part) => part.words.replace(/\.$/, '')).join(' · ') ||
    (state === 'running' ? running : state === 'open' ? open : nothing);
  return { state, words, count: bad.reduce((sum, part) => sum + part.count, 0), parts };
}

/** Tells whether something wants to be looked at. */
export function isBad(state: CheckState): boolean {
  return state === 'failed' || state === 'warning';
}

function judged(state: CheckState, words: string, count = 1): Judgement {
  return { state, words, count: isBad(state) ? count : 0 };
}

function judgeConnection({ server: { status }, doctor }: Evidence): Judgement {
  const isConnected = isLive(status.phase);
  // What was found before a connection came up is no news of it.
  const isOlder =
    isConnected && doctor?.connection != null && (status.connection ?? 0) > doctor.connection;
  if (doctor && !isOlder) {
    const { state, failure, cause, checks } = doctor;
    if (state === 'running') return judged('running', JUDGED.running);
    if (state === 'cancelled') return judged('open', JUDGED.stopped);
    if (failure) return judged('failed', visibleText(JUDGED.failed(failure.reason, cause)));
    const bad = countBad(checks);
    if (cause) return judged('warning', visibleText(JUDGED.found(cause)), bad);
    return bad > 0 ? judged('warning', JUDGED.warnings(bad), bad) : judged('passed', JUDGED.passed);
  }
  if (status.failure) {
    return judged('failed', visibleText(JUDGED.failed(status.failure.reason, null)));
  }
  if (!isConnected) return judged('open', JUDGED.open);
  return status.loss
    ? judged('warning', JUDGED.lost(status.loss.count))
    : judged('passed', JUDGED.works);
}

function countBad(findings: readonly Finding<unknown>[]): number {
  return findings.filter(({ verdict }) => ['failed', 'error', 'warning'].includes(verdict)).length;
}

function judgeFindings({ findings }: Evidence): Judgement {
  if (findings === null) return judged('open', JUDGED.notConnected);
  const count = countBad(findings);
  return judged(count > 0 ? 'warning' : 'passed', JUDGED.findings(findings.length), count);
}

function judgeChanges({ surface, isOwn }: Evidence): Judgement {
  if (surface === null) return judged('open', JUDGED.notConnected);
  const { breaking, attention } = surface;
  const count = isOwn ? 0 : breaking + attention;
  const state = count === 0 ? 'passed' : breaking > 0 ? 'failed' : 'warning';
  return judged(state, changesText(surface, Date.now()), count);
}

function judgeConformance({ conformance: run }: Evidence): Judgement {
  if (!run) return judged('open', JUDGED.open);
  if (run.problem !== null) return judged('failed', visibleText(run.problem));
  if (run.isRunning || !run.report) return judged('running', JUDGED.checked(run.checks.length));
  const { totals, duration, isStopped } = run.report;
  const bad = totals.failed + totals.error;
  const end = isStopped ? ` ${JUDGED.stopped}` : '';
  const words = `${countsText(totals, 'check')} in ${formatDuration(duration)}.${end}`;
  const state = bad > 0 ? 'failed' : totals.warning > 0 ? 'warning' : isStopped ? 'open' : 'passed';
  return judged(state, words, bad + totals.warning);
}

function judgeLoad({ load: run }: Evidence): Judgement {
  if (!run) return judged('open', JUDGED.notMeasured);
  if (run.problem !== null) return judged('failed', visibleText(run.problem));
  const { report, progress, total } = run;
  if (!report) {
    return judged('running', JUDGED.calls(progress?.ended ?? 0, total, progress?.failed ?? 0));
  }
  const { failed, succeeded, isStopped } = report;
  const words = JUDGED.calls(succeeded + failed, report.total, failed);
  if (isStopped) return judged(failed > 0 ? 'failed' : 'open', `${words}. ${JUDGED.stopped}`);
  return judged(failed > 0 ? 'failed' : 'passed', words);
}

function judgeTests({ tests, reports, isTesting }: Evidence): Judgement {
  if (tests.length === 0) return judged('open', JUDGED.noTests);
  const counts: Partial<VerdictCounts> = {};
  for (const { path, problems } of tests) {
    const verdict = problems.length > 0 ? 'error' : reports[path]?.verdict;
    if (verdict) counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  if (isTesting) return judged('running', JUDGED.running);
  const bad = (counts.failed ?? 0) + (counts.error ?? 0);
  const words = countsText(counts, 'test') || JUDGED.notRun(tests.length);
  return judged(bad > 0 ? 'failed' : (counts.passed ?? 0) > 0 ? 'passed' : 'open', words, bad);
}

const NO_LISTS: Readonly<Record<string, ListChange>> = {};

/** Returns the findings about a server; null while it is not connected. */
export function useServerFindings(server: ServerView): readonly ServerFinding[] | null {
  const surface = useSurface(server);
  const lists = useLists((state) => state.byServer[server.id] ?? NO_LISTS);
  const isConnected = isLive(server.status.phase);
  return useMemo(
    () =>
      isConnected
        ? [...remarksOn(server, Object.values(lists)), ...(surface?.findings ?? [])]
        : null,
    [isConnected, server, lists, surface],
  );
}

/** Returns the changes of a connected server, as they were read last. */
export function useSurface({ id, status }: ServerView): SurfaceView | null {
  const view = useSurfaces((state) => state.views[id] ?? null);
  return isLive(status.phase) ? view : null;
}

/** Tells whether the user has a server restarted on changes of its source, and so makes them. */
export function useIsOwn(server: ServerId): boolean {
  return useSnapshot(({ restarts }) => restarts.some((restart) => restart.server === server));
}

/** Returns the tests of a server. */
export function useServerTests({ id, name }: ServerView): readonly RequestView[] {
  const view = useRequestFiles((state) => state.view);
  return useMemo(() => testsOf(view, { id, name }), [view, id, name]);
}

/** Returns the verdict on a server, as far as it is known. */
export function useServerVerdict(server: ServerView): ServerVerdict {
  const tests = useServerTests(server);
  return verdictOf({
    server,
    tests,
    doctor: useChecks((state) => state.doctor[server.id]),
    conformance: useChecks((state) => state.conformance[server.id]),
    load: useChecks((state) => state.load[server.id]),
    findings: useServerFindings(server),
    surface: useSurface(server),
    isOwn: useIsOwn(server.id),
    reports: useRequestFiles((state) => state.reports),
    isTesting: useRequestFiles(
      ({ run }) => run?.isRunning === true && tests.some(({ path }) => run.paths.includes(path)),
    ),
  });
}
