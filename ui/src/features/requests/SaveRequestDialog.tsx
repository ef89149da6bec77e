import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { loadRequests, useRequestFiles } from '@/state/request-files';
import styles from './requests.module.css';
import { REQUESTS, SAVE_REQUEST } from './texts';

interface SaveRequestDialogProps {
  server: ServerId;
  method: string;
  params: string;
  /** The name that it gets unless the user says otherwise. */
  name: string;
}

/** Saves a call as a file of the project. */
export function SaveRequestDialog({ server, method, params, name }: SaveRequestDialogProps) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const [wanted, setWanted] = useState(name);
  const [folder, setFolder] = useState('');
  const save = async () => {
    try {
      const path = await backend.createRequest({ folder, name: wanted, server, method, params });
      await loadRequests(backend);
      close();
      showNote(SAVE_REQUEST.saved(path), {
        label: SAVE_REQUEST.open,
        run: () => {
          useRequestFiles.getState().select(path);
          useNavigation.getState().openRequests();
        },
      });
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Dialog
      title={SAVE_REQUEST.title}
      isOpen
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{REQUESTS.cancel}</Button>
          <Button variant="primary" isDisabled={wanted.trim() === ''} onPress={() => void save()}>
            {SAVE_REQUEST.save}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.remark}>{SAVE_REQUEST.meaning}</p>
        <TextField label={REQUESTS.name} autoFocus value={wanted} onChange={setWanted} />
        <TextField
          label={REQUESTS.folder}
          description={REQUESTS.folderHint}
          value={folder}
          onChange={setFolder}
        />
      </div>
    </Dialog>
  );
}
