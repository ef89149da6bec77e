import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CommandError, ConfigAction, PlanView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfiguration } from '@/state/setup/configuration';

interface Planned {
  /** The action and the round that it is the answer to. */
  of: string | null;
  plan: PlanView | null;
  problem: CommandError | null;
  /** Number of times that an answer came which the user did not bring about, as files changed. */
  changes: number;
}

/** A plan, which may be that of an earlier action until that of the current one is there. */
interface PlanState extends Omit<Planned, 'of'> {
  isCurrent: boolean;
}

const NOTHING: Planned = { of: null, plan: null, problem: null, changes: 0 };

/** Milliseconds after the last key before a change is planned again. */
const TYPING_DELAY = 120;

interface PlanOptions {
  /** Asks for one more time when it differs. */
  round?: number;
  /**
   * True where somebody else filled in the fields at first: the first answer is a change then, and
   * so is the first one after there was no action.
   */
  isGiven?: boolean | undefined;
}

/**
 * Plans what an action would do to the files as they are now; nothing without one. Planned again
 * when the action differs or a file changes.
 */
export function usePlan(
  action: ConfigAction | null,
  { round = 0, isGiven = false }: PlanOptions = {},
): PlanState {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const asked = action === null ? null : JSON.stringify(action);
  const key = asked === null ? null : `${round} ${asked}`;
  // The first answer is new to the user too where nothing has to be filled in for it.
  const [planned, setPlanned] = useState<Planned>({ ...NOTHING, of: key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useAsyncEffect(() => {
    if (asked === null) {
      setPlanned(({ changes }) => ({ ...NOTHING, changes }));
      return null;
    }
    return {
      start: () => backend.planConfiguration(JSON.parse(asked)),
      onValue: (plan) => setPlanned(after({ key, isGiven }, plan, null)),
      onError: (reason) => setPlanned(after({ key, isGiven }, null, asCommandError(reason))),
      delay: TYPING_DELAY,
    };
  }, [backend, asked, revision, round]);
  const { of, ...rest } = planned;
  return { ...rest, isCurrent: key !== null && of === key };
}

/** Returns how an answer is put in the place of the one before. */
function after(
  { key, isGiven }: { key: string | null; isGiven: boolean },
  plan: PlanView | null,
  problem: CommandError | null,
) {
  const shown = ({ plan, problem }: Pick<Planned, 'plan' | 'problem'>) =>
    JSON.stringify([plan && { ...plan, plan: 0 }, problem]);
  return (before: Planned): Planned => {
    const isChanged =
      before.of === key
        ? shown(before) !== shown({ plan, problem })
        : isGiven && (before.changes === 0 || before.of === null);
    return { of: key, plan, problem, changes: before.changes + (isChanged ? 1 : 0) };
  };
}
