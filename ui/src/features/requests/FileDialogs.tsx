import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { showError, showNote } from '@/state/notices';
import { loadRequests, useRequestFiles } from '@/state/request-files';
import styles from './requests.module.css';
import { REQUESTS } from './texts';
import { folderOf } from './tree';

interface Props {
  request: RequestView;
  onClose(): void;
}

/** Gives a request another name. */
export function RenameRequestDialog({ request, onClose }: Props) {
  const backend = useBackend();
  const [name, setName] = useState(request.name);
  const rename = () =>
    void backend
      .renameRequest(request.path, name.trim())
      .then(() => loadRequests(backend))
      .then(onClose, showError);
  return (
    <Dialog
      title={REQUESTS.rename}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{REQUESTS.cancel}</Button>
          <Button variant="primary" isDisabled={name.trim() === ''} onPress={rename}>
            {REQUESTS.rename}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <TextField label={REQUESTS.name} autoFocus value={name} onChange={setName} />
      </div>
    </Dialog>
  );
}

/** Puts a request into another folder. */
export function MoveDialog({ request, onClose }: Props) {
  const backend = useBackend();
  const [folder, setFolder] = useState(folderOf(request.path));
  const move = async () => {
    const name = request.path.split('/').at(-1) ?? request.path;
    const wanted = folder.trim().replace(/^\/+|\/+$/g, '');
    const target = wanted === '' ? name : `${wanted}/${name}`;
    try {
      await backend.moveRequest(request.path, target);
      await loadRequests(backend);
      useRequestFiles.getState().select(target);
      showNote(REQUESTS.moved(wanted || REQUESTS.rootFolder));
      onClose();
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Dialog
      title={REQUESTS.move}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{REQUESTS.cancel}</Button>
          <Button variant="primary" onPress={() => void move()}>
            {REQUESTS.move}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <TextField
          label={REQUESTS.folder}
          description={REQUESTS.folderHint}
          autoFocus
          value={folder}
          onChange={setFolder}
        />
      </div>
    </Dialog>
  );
}

/** Deletes a request, once that is confirmed. */
export function DeleteDialog({ request, onClose }: Props) {
  const backend = useBackend();
  const remove = () =>
    void backend
      .deleteRequest(request.path)
      .then(() => {
        showNote(REQUESTS.deleted(request.name));
        onClose();
        return loadRequests(backend);
      })
      .catch(showError);
  return (
    <Dialog
      title={REQUESTS.deleteTitle(request.name)}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{REQUESTS.cancel}</Button>
          <Button variant="danger" onPress={remove}>
            {REQUESTS.delete}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{REQUESTS.deleteMeaning}</p>
        <p>
          <code>{request.path}</code>
        </p>
      </div>
    </Dialog>
  );
}
