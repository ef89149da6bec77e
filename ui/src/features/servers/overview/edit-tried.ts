import type { Backend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';

/** Shows the fields of a server that is in no file: to save it, or to connect it otherwise. */
export function editTried(backend: Backend, server: ServerId): void {
  const show = useDialogs.getState().show;
  backend
    .getTriedDraft(server)
    .then((draft) => show({ kind: 'add-server', tried: { server, draft } }), showError);
}
