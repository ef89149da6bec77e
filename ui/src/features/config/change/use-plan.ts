import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CommandError, ConfigAction, PlanView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfiguration } from '@/state/configuration';

interface Planned {
  /** The action and the round that it is the answer to. */
  of: string | null;
  plan: PlanView | null;
  problem: CommandError | null;
}

/** A plan, which may be that of an earlier action until that of the current one is there. */
interface PlanState extends Omit<Planned, 'of'> {
  isCurrent: boolean;
}

const NOTHING: Planned = { of: null, plan: null, problem: null };

/** Milliseconds after the last key before a change is planned again. */
const TYPING_DELAY = 120;

/**
 * Plans what an action would do to the files as they are now; nothing without one. Planned again
 * when the action differs or a file changes. `round` asks for one more time.
 */
export function usePlan(action: ConfigAction | null, round = 0): PlanState {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const [planned, setPlanned] = useState(NOTHING);
  const asked = action === null ? null : JSON.stringify(action);
  const key = asked === null ? null : `${round} ${asked}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useAsyncEffect(() => {
    if (asked === null) {
      setPlanned(NOTHING);
      return null;
    }
    return {
      start: () => backend.planConfiguration(JSON.parse(asked)),
      onValue: (plan) => setPlanned({ of: key, plan, problem: null }),
      onError: (reason) => setPlanned({ of: key, plan: null, problem: asCommandError(reason) }),
      delay: TYPING_DELAY,
    };
  }, [backend, asked, revision, round]);
  const { plan, problem, of } = planned;
  return { plan, problem, isCurrent: key !== null && of === key };
}
