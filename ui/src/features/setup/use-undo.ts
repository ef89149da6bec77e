import { useBackend } from '@/backend/backend';
import { runAction, useAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { endsSomething, leavesProject } from './change/plan';
import { HISTORY } from './texts';

/**
 * Takes changes back and does them again, whichever files they were in. Where a file changed
 * since, or where a connection or a file would end, the change is shown and the user decides.
 */
export function useUndo(): void {
  const backend = useBackend();
  const undo = useConfiguration((state) => state.view.undo);
  const redo = useConfiguration((state) => state.view.redo);
  // The editor has an undo of its own, for what is not written yet.
  const isEditing = useSetupView((state) => state.editing !== null);
  const run = async (kind: 'undo' | 'redo') => {
    try {
      const plan = await backend.planConfiguration({ type: kind });
      // What writes out of the project, or ends something, is asked about first.
      const isAsked = leavesProject(plan) || endsSomething(plan);
      const outcome = isAsked ? null : await backend.applyConfiguration(plan.plan, false, {});
      if (outcome?.type === 'applied') {
        const back =
          kind === 'undo'
            ? ({ label: HISTORY.redo, id: 'setup.redo' } as const)
            : ({ label: HISTORY.undo, id: 'setup.undo' } as const);
        showNote(outcome.title, { ...back, run: () => void runAction(back.id) });
      } else useDialogs.getState().showWhenFree({ kind: 'config-change', action: { type: kind } });
    } catch (reason) {
      showError(reason);
    }
  };
  useAction('setup.undo', () => void run('undo'), { when: undo !== null && !isEditing });
  useAction('setup.redo', () => void run('redo'), { when: redo !== null && !isEditing });
}
