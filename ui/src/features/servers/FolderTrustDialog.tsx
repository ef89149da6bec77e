import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { useDialogs } from '@/state/dialogs';
import { useFolder } from '@/state/folder';
import { showError } from '@/state/notices';
import { useServer } from '@/state/servers';
import styles from './servers.module.css';

interface FolderTrustDialogProps {
  /** The server that is to start, where one is. */
  server: ServerId | null;
  /** Starts it; done after the answer. */
  start?: () => Promise<unknown>;
}

/** Asks once whether programs may start in the project's folder. */
export function FolderTrustDialog({ server: id, start }: FolderTrustDialogProps) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const folder = useFolder((state) => state.folder);
  const server = useServer(id);
  const [isBusy, setBusy] = useState(false);
  const startsOutside = server?.start?.next === 'empty_directory' && start !== undefined;

  const answer = async (keep: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await keep();
      close();
      await start?.();
    } catch (reason) {
      setBusy(false);
      showError(reason);
    }
  };
  return (
    <Dialog
      title="Trust the programs and settings in this folder?"
      isOpen
      onClose={close}
      footer={
        <>
          {startsOutside ? (
            <Button isDisabled={isBusy} onPress={() => void answer(backend.distrustFolder)}>
              Start outside the folder
            </Button>
          ) : (
            <Button onPress={close}>Not now</Button>
          )}
          <Button
            variant="primary"
            isDisabled={isBusy}
            onPress={() => void answer(backend.trustFolder)}
          >
            Trust folder
          </Button>
        </>
      }
    >
      <code className={styles.folder}>{folder.path}</code>
      <p className={styles.consequence}>
        Servers then start in this folder, where packages, scripts and settings can change what they
        do. Trust it only if you trust whoever wrote it.
      </p>
      {startsOutside && (
        <p className={styles.consequence}>
          {server.name} can also start in an empty directory, where nothing of the folder reaches
          it.
        </p>
      )}
      {server && !startsOutside && start && (
        <p className={styles.consequence}>{server.name} does not start without it.</p>
      )}
    </Dialog>
  );
}
