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
import { folderOf, inFolder, nameOf, trimmedFolder } from './tree';

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
    const wanted = trimmedFolder(folder);
    const target = inFolder(wanted, nameOf(request.path));
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

interface FolderProps {
  folder: string;
  onClose(): void;
}

/** Gives a folder another name, or another place. */
export function MoveFolderDialog({ folder, onClose }: FolderProps) {
  const backend = useBackend();
  const [text, setText] = useState(folder);
  const target = trimmedFolder(text);
  const move = async () => {
    try {
      await backend.moveRequestFolder(folder, target);
      await loadRequests(backend);
      useRequestFiles.getState().selectFolder(target);
      showNote(REQUESTS.folderMoved(target));
      onClose();
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Dialog
      title={REQUESTS.moveFolder}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{REQUESTS.cancel}</Button>
          <Button variant="primary" isDisabled={target === ''} onPress={() => void move()}>
            {REQUESTS.rename}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <TextField
          label={REQUESTS.folder}
          description={REQUESTS.moveFolderHint}
          autoFocus
          value={text}
          onChange={setText}
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
