import { useEffect, useRef, useState } from 'react';
import type { Backend } from '@/backend/backend';
import type {
  RecordedServer,
  ReplayOutcome,
  ReplayStep,
  ReplayView,
  ServerId,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';

/** Recorded requests on their way to a server. */
export interface ReplayState {
  /** Absent while the requests are read. */
  list: ReplayView | null;
  steps: readonly ReplayStep[];
  chosen: ReadonlySet<number>;
  outcomes: ReadonlyMap<number, ReplayOutcome>;
  isRunning: boolean;
  /** The reason why it does not go on. */
  problem: string | null;
  choose(indexes: readonly number[]): void;
  /** Sends the chosen requests; `isAgreed` those too that may change something. */
  run(isAgreed: boolean): Promise<void>;
  stop(): void;
}

/** Lists the requests of a recorded server, and sends those that are chosen, one after another. */
export function useReplay(
  backend: Backend,
  recorded: RecordedServer | null,
  server: ServerId | null,
): ReplayState {
  const [list, setList] = useState<ReplayView | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, ReplayOutcome>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const stopped = useRef(false);
  const session = recorded?.session ?? null;
  const name = recorded?.name ?? null;

  useEffect(() => {
    setList(null);
    setChosen(new Set());
    setOutcomes(new Map());
    setProblem(null);
    if (session === null || server === null) return undefined;
    let isCurrent = true;
    let listed: ReplayView | null = null;
    const forget = () => listed && void backend.deleteReplay(listed.id).catch(() => undefined);
    backend.listReplay({ session, name }, server).then(
      (view) => {
        listed = view;
        if (!isCurrent) {
          forget();
          return;
        }
        setList(view);
        setChosen(new Set(view.steps.filter((step) => !step.mayChange).map(({ index }) => index)));
      },
      (reason) => isCurrent && setProblem(asCommandError(reason).message),
    );
    return () => {
      isCurrent = false;
      stopped.current = true;
      forget();
    };
  }, [backend, session, name, server]);

  const run = async (isAgreed: boolean) => {
    if (list === null) return;
    stopped.current = false;
    setRunning(true);
    setProblem(null);
    setOutcomes(new Map());
    try {
      for (const { index, mayChange } of list.steps) {
        if (!chosen.has(index)) continue;
        if (stopped.current) break;
        const agreed = isAgreed && mayChange;
        const outcome = await backend.replayStep(list.id, index, agreed);
        setOutcomes((known) => new Map(known).set(index, outcome));
      }
    } catch (reason) {
      setProblem(asCommandError(reason).message);
    } finally {
      setRunning(false);
    }
  };

  return {
    list,
    steps: list?.steps ?? [],
    chosen,
    outcomes,
    isRunning,
    problem,
    choose: (indexes) => setChosen(new Set(indexes)),
    run,
    stop: () => {
      stopped.current = true;
    },
  };
}
