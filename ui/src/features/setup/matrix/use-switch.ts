import { useBackend } from '@/backend/backend';
import type { ConfigAction } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { endsSomething, leavesProject } from '../change/plan';
import { useApply } from '../change/use-apply';

/**
 * Carries out an action at once where it loses nothing and can be undone; otherwise the dialog
 * shows what it does first.
 */
export function useSwitch(): (action: ConfigAction) => void {
  const backend = useBackend();
  const { apply } = useApply(() => {});
  return (action) => {
    const ask = () => useDialogs.getState().showWhenFree({ kind: 'config-change', action });
    backend
      .planConfiguration(action)
      .then((plan) => {
        const isPlain =
          action.type !== 'remove' &&
          plan.lost.length === 0 &&
          plan.warnings.length === 0 &&
          !leavesProject(plan) &&
          !endsSomething(plan);
        return isPlain ? apply(plan) : ask();
      })
      .catch(showError);
  };
}
