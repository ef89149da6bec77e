import { create } from 'zustand';
import type {
  ConformanceEvent,
  ConformanceReport,
  DoctorReport,
  Era,
  Finding,
  LoadEvent,
  LoadProgress,
  LoadReport,
  ServerId,
  SuiteScenario,
} from '@/backend/bindings';
import { ended, type Job, started } from '@/state/jobs';

/** The parts of the checks of a server, in their order. */
export const CHECK_PARTS = [
  'connection',
  'findings',
  'changes',
  'conformance',
  'load',
  'tests',
] as const;

export type CheckPart = (typeof CHECK_PARTS)[number];

/** Checks of conformance, as far as they are. */
export type ConformanceRun = Job<
  {
    checks: readonly Finding<Era>[];
    /** Scenarios of the official suite. */
    scenarios: readonly SuiteScenario[];
  },
  ConformanceReport
>;

/** A load run, as far as it is. */
export type LoadRun = Job<{ total: number; progress: LoadProgress | null }, LoadReport>;

interface ChecksState {
  /** The part that is shown of each server, once one was chosen. */
  shown: Readonly<Record<ServerId, CheckPart>>;
  /** The last report of the doctor on each server that was examined. */
  doctor: Readonly<Record<ServerId, DoctorReport>>;
  conformance: Readonly<Record<ServerId, ConformanceRun>>;
  load: Readonly<Record<ServerId, LoadRun>>;
  show(server: ServerId, part: CheckPart): void;
  applyDoctor(report: DoctorReport): void;
  applyConformance(event: ConformanceEvent): void;
  applyLoad(event: LoadEvent): void;
}

export const useChecks = create<ChecksState>((set) => ({
  shown: {},
  doctor: {},
  conformance: {},
  load: {},
  show: (server, part) => set(({ shown }) => ({ shown: { ...shown, [server]: part } })),
  applyDoctor: (report) =>
    set(({ doctor }) => ({ doctor: { ...doctor, [report.server]: report } })),
  applyConformance: (event) =>
    set(({ conformance }) => ({
      conformance: { ...conformance, [event.server]: checked(conformance[event.server], event) },
    })),
  applyLoad: (event) =>
    set(({ load }) => ({ load: { ...load, [event.server]: loaded(load[event.server], event) } })),
}));

function checked(run: ConformanceRun | undefined, event: ConformanceEvent): ConformanceRun {
  const known = run ?? started({ checks: [], scenarios: [] });
  switch (event.type) {
    case 'started':
      return started({ checks: [], scenarios: [] });
    case 'checked':
      return { ...known, checks: [...known.checks, event.check] };
    case 'scenario':
      return { ...known, scenarios: [...known.scenarios, event.scenario] };
    case 'ended':
      return ended(known, event, {
        checks: event.report?.checks ?? known.checks,
        scenarios: event.report?.suite?.scenarios ?? known.scenarios,
      });
  }
}

function loaded(run: LoadRun | undefined, event: LoadEvent): LoadRun {
  const known = run ?? started({ total: 0, progress: null });
  switch (event.type) {
    case 'started':
      return started({ total: event.total, progress: null });
    case 'progress':
      return { ...known, progress: event.progress };
    case 'ended':
      return ended(known, event);
  }
}
