import { type Backend, SWITCHED } from '@/backend/backend';
import { reloadPage } from '@/lib/lazy-component';
import { showError } from './notices';
import { storeUnsaved } from './setup/unsaved';

/**
 * Shows another project: the page loads anew, so that nothing of the one before is left in it but
 * what is not saved.
 */
export function switchProject(backend: Backend, show: () => Promise<boolean>): void {
  storeUnsaved(backend)
    .then(show)
    .then((isOther) => {
      if (!isOther) return;
      sessionStorage.setItem(SWITCHED, 'true');
      reloadPage();
    })
    .catch(showError);
}

/** Asks for a folder and shows it. */
export function chooseProject(backend: Backend): void {
  switchProject(backend, () => backend.chooseProject());
}
