import { create } from 'zustand';
import type {
  CheckResult,
  ConformanceEvent,
  ConformanceReport,
  LoadEvent,
  LoadProgress,
  LoadReport,
  ServerId,
  SuiteScenario,
} from '@/backend/bindings';

/** The tests of a server that the tab can show. */
export type TestKind = 'conformance' | 'load';

/** Checks of conformance, as far as they are. */
export interface ConformanceRun {
  isRunning: boolean;
  checks: readonly CheckResult[];
  /** Scenarios of the official suite. */
  scenarios: readonly SuiteScenario[];
  /** Absent until it ends. */
  report: ConformanceReport | null;
  /** The reason why it could not run at all. */
  problem: string | null;
}

/** A load run, as far as it is. */
export interface LoadRun {
  isRunning: boolean;
  total: number;
  progress: LoadProgress | null;
  /** Absent until it ends. */
  report: LoadReport | null;
  /** The reason why it could not run at all. */
  problem: string | null;
}

interface TestingState {
  /** The test that is shown of each server. */
  kinds: Readonly<Record<ServerId, TestKind>>;
  conformance: Readonly<Record<ServerId, ConformanceRun>>;
  load: Readonly<Record<ServerId, LoadRun>>;
  show(server: ServerId, kind: TestKind): void;
  applyConformance(event: ConformanceEvent): void;
  applyLoad(event: LoadEvent): void;
}

export const useTesting = create<TestingState>((set) => ({
  kinds: {},
  conformance: {},
  load: {},
  show: (server, kind) => set(({ kinds }) => ({ kinds: { ...kinds, [server]: kind } })),
  applyConformance: (event) =>
    set(({ conformance }) => ({
      conformance: {
        ...conformance,
        [event.server]: checked(conformance[event.server], event),
      },
    })),
  applyLoad: (event) =>
    set(({ load }) => ({
      load: { ...load, [event.server]: loaded(load[event.server], event) },
    })),
}));

function checked(run: ConformanceRun | undefined, event: ConformanceEvent): ConformanceRun {
  const known = run ?? { isRunning: true, checks: [], scenarios: [], report: null, problem: null };
  switch (event.type) {
    case 'started':
      return { isRunning: true, checks: [], scenarios: [], report: null, problem: null };
    case 'checked':
      return { ...known, checks: [...known.checks, event.check] };
    case 'scenario':
      return { ...known, scenarios: [...known.scenarios, event.scenario] };
    case 'ended':
      return {
        isRunning: false,
        checks: event.report?.checks ?? known.checks,
        scenarios: event.report?.suite?.scenarios ?? known.scenarios,
        report: event.report,
        problem: event.problem,
      };
  }
}

function loaded(run: LoadRun | undefined, event: LoadEvent): LoadRun {
  const known = run ?? { isRunning: true, total: 0, progress: null, report: null, problem: null };
  switch (event.type) {
    case 'started':
      return { isRunning: true, total: event.total, progress: null, report: null, problem: null };
    case 'progress':
      return { ...known, progress: event.progress };
    case 'ended':
      return { ...known, isRunning: false, report: event.report, problem: event.problem };
  }
}
