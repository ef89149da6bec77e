import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Dialog } from '@/components/Dialog';
import { useClose } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useServer } from '@/state/servers/servers';
import { useSnapshot } from '@/state/snapshot';
import styles from './servers.module.css';
import { TRUST } from './texts';

interface FolderTrustDialogProps {
  /** The server that is to start, where one is. */
  server: ServerId | null;
  /** Starts it; done after the answer. */
  start?: () => Promise<unknown>;
  /** Done where the question is left without an answer. */
  left?: (() => void) | undefined;
}

/** Asks once whether programs may start in the project's folder. */
export function FolderTrustDialog({ server: id, start, left }: FolderTrustDialogProps) {
  const backend = useBackend();
  const close = useClose();
  const folder = useSnapshot((state) => state.folder);
  const server = useServer(id);
  const [isBusy, setBusy] = useState(false);
  const startsOutside = server?.start?.next === 'emptyDirectory' && start !== undefined;

  const leave = () => {
    close();
    left?.();
  };
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
      title={TRUST.title}
      isOpen
      onClose={leave}
      closeLabel={TRUST.notNow}
      footer={
        startsOutside && (
          <Button isDisabled={isBusy} onPress={() => void answer(backend.distrustFolder)}>
            {TRUST.startOutside}
          </Button>
        )
      }
      action={{
        label: TRUST.trust,
        isDisabled: isBusy,
        run: () => void answer(backend.trustFolder),
      }}
    >
      <Confirmed className={styles.folder} text={folder.path} />
      <p className="mt-5 remark">{TRUST.consequence}</p>
      {startsOutside && (
        <p className="mt-5 remark">
          <Confirmed text={server.name} /> {TRUST.canStartOutside}
        </p>
      )}
      {server && !startsOutside && start && (
        <p className="mt-5 remark">
          <Confirmed text={server.name} /> {TRUST.needsIt}
        </p>
      )}
    </Dialog>
  );
}
