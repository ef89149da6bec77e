import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ConfigAction, ConflictView, PlanView } from '@/backend/bindings';
import { runAction } from '@/state/actions';
import { showError, showNote } from '@/state/notices';
import { leavesProject } from './plan';
import { CHANGE } from './texts';

/**
 * Carries out what was planned, also where it leaves the project: the caller has asked by then. A
 * file that changed underneath is a conflict to be decided. `secrets` are kept with it.
 */
export function useApply(
  onApplied: (plan: PlanView) => void,
  secrets?: Readonly<Record<string, string>>,
) {
  const backend = useBackend();
  const [isApplying, setApplying] = useState(false);
  const [conflict, setConflict] = useState<ConflictView[] | null>(null);

  const [confirmed, setConfirmed] = useState<(string | null)[]>([]);

  const run = async (plan: PlanView, mayWrite: (string | null)[]) => {
    setApplying(true);
    try {
      const isConfirmed = plan.files.every(({ outside }) => mayWrite.includes(outside));
      // Without consent the backend refuses it, and says why.
      const isOutside = leavesProject(plan) && isConfirmed;
      const outcome = await backend.applyConfiguration(plan.plan, isOutside, { ...secrets });
      if (outcome.type === 'conflict') setConflict(outcome.files);
      else {
        setConflict(null);
        showNote(outcome.title, {
          label: CHANGE.undo,
          run: () => void runAction('setup.undo'),
          id: 'setup.undo',
        });
        onApplied(plan);
      }
    } catch (reason) {
      showError(reason);
    } finally {
      setApplying(false);
    }
  };

  const apply = async (plan: PlanView) => {
    const outside = plan.files.map((file) => file.outside);
    setConfirmed(outside);
    await run(plan, outside);
  };

  /** Writes the user's own texts, now that they have seen those of the others. */
  const overwrite = async () => {
    for (const { target, mine } of conflict ?? []) {
      const action: ConfigAction = { type: 'text', target, text: mine };
      try {
        await run(await backend.planConfiguration(action), confirmed);
      } catch (reason) {
        showError(reason);
        return;
      }
    }
  };

  return { apply, overwrite, isApplying, conflict, forget: () => setConflict(null) };
}
