import { type Backend, SWITCHED } from '@/backend/backend';
import { useConfigView } from './config-view';
import { showError } from './notices';

/** Reason why the page is not loaded anew. */
const UNSAVED = {
  code: 'configuration',
  message: 'A change in Config is not saved yet.',
  hint: 'Save or discard it, then open the other project.',
} as const;

/** Shows another project: the page loads anew, so that nothing of the one before is left in it. */
export function switchProject(show: () => Promise<boolean>): void {
  if (useConfigView.getState().hasChanges) {
    showError(UNSAVED);
    return;
  }
  show()
    .then((isOther) => {
      if (!isOther) return;
      sessionStorage.setItem(SWITCHED, 'true');
      window.location.reload();
    })
    .catch(showError);
}

/** Asks for a folder and shows it. */
export function chooseProject(backend: Backend): void {
  switchProject(() => backend.chooseProject());
}
