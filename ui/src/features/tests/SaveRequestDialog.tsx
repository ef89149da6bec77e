import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { TextField } from '@/components/TextField';
import { useClose } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showNote } from '@/state/notices';
import { loadRequests, useRequestFiles } from '@/state/tests/request-files';
import { FileDialog, FolderField } from './FileDialogs';
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
  const close = useClose();
  const [wanted, setWanted] = useState(name);
  const [folder, setFolder] = useState('');
  const save = async () => {
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
  };
  return (
    <FileDialog
      title={SAVE_REQUEST.title}
      action={SAVE_REQUEST.save}
      isReady={wanted.trim() !== ''}
      onClose={close}
      onAction={save}
    >
      <p className="break-anywhere text-data remark">{SAVE_REQUEST.meaning}</p>
      <TextField label={REQUESTS.name} autoFocus value={wanted} onChange={setWanted} />
      <FolderField value={folder} onChange={setFolder} />
    </FileDialog>
  );
}
