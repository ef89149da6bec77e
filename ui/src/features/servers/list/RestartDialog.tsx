import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { useClose } from '@/state/dialogs';
import { showError } from '@/state/notices';
import styles from './servers.module.css';
import { RESTART } from './texts';

/** Asks for the source whose changes start a server anew. */
export function RestartDialog({ server }: { server: ServerId }) {
  const backend = useBackend();
  const close = useClose();
  const [path, setPath] = useState('.');
  const start = () => void backend.startRestartOnChange(server, path).then(close, showError);
  return (
    <Dialog
      title={RESTART.title}
      isOpen
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{RESTART.cancel}</Button>
          <Button variant="primary" isDisabled={path.trim() === ''} onPress={start}>
            {RESTART.start}
          </Button>
        </>
      }
    >
      <p className={styles.restartMeaning}>{RESTART.meaning}</p>
      <TextField
        label={RESTART.path}
        description={RESTART.hint}
        mono
        autoFocus
        value={path}
        onChange={setPath}
      />
    </Dialog>
  );
}
