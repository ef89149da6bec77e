import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ConfigAction, ConflictView, PlanView } from '@/backend/bindings';
import { showError, showNote } from '@/components/toast';

/** Carries out what was planned. A file that changed underneath is a conflict to be decided. */
export function useApply(onApplied: (plan: PlanView) => void) {
  const backend = useBackend();
  const [isApplying, setApplying] = useState(false);
  const [conflict, setConflict] = useState<ConflictView[] | null>(null);

  const apply = async (plan: PlanView) => {
    setApplying(true);
    try {
      const outcome = await backend.applyConfiguration(plan.plan);
      if (outcome.kind === 'conflict') setConflict(outcome.files);
      else {
        setConflict(null);
        showNote(outcome.title);
        onApplied(plan);
      }
    } catch (reason) {
      showError(reason);
    } finally {
      setApplying(false);
    }
  };

  /** Writes the person's own texts, now that they have seen those of the others. */
  const overwrite = async () => {
    for (const { target, mine } of conflict ?? []) {
      const action: ConfigAction = { kind: 'text', target, text: mine };
      try {
        await apply(await backend.planConfiguration(action));
      } catch (reason) {
        showError(reason);
        return;
      }
    }
  };

  return { apply, overwrite, isApplying, conflict, forget: () => setConflict(null) };
}
