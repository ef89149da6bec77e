import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { PlannedView, ServerId } from '@/backend/bindings';
import { Button } from '@/components/button';
import { Dialog } from '@/components/dialog';
import { showError, showNote } from '@/components/toast';
import { useDialogs } from '@/state/dialogs';
import { useServer } from '@/state/servers';
import styles from './config.module.css';
import { DiffView } from './DiffView';

/** Shows what removing a server changes in its file, and does it. */
export function RemoveServerDialog({ server: id }: { server: ServerId }) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const server = useServer(id);
  const [plan, setPlan] = useState<PlannedView | null>(null);
  const [removing, setRemoving] = useState(false);

  useEffect(() => {
    backend
      .planRemoval(id)
      .then(setPlan)
      .catch((reason) => {
        close();
        showError(reason);
      });
  }, [backend, id, close]);

  const remove = async () => {
    setRemoving(true);
    try {
      await backend.removeServer(id);
      close();
      showNote(`Removed ${server?.name ?? 'the server'}`);
    } catch (reason) {
      setRemoving(false);
      showError(reason);
    }
  };

  return (
    <Dialog
      title={`Remove ${server?.name ?? 'server'}`}
      isOpen
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button variant="danger" isDisabled={!plan || removing} onPress={remove}>
            Remove
          </Button>
        </>
      }
    >
      <div className={styles.remove}>
        <p>Its connection is closed. What was recorded stays.</p>
        {server && server.shadowed.length > 0 && (
          <p>
            Another file defines <b>{server.name}</b> too; that definition counts from then on:{' '}
            <code>{server.shadowed[0]?.path}</code>
          </p>
        )}
        {plan && <DiffView plan={plan} />}
      </div>
    </Dialog>
  );
}
