import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestSelection } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { runRequests } from '@/state/tests/request-files';
import { REQUESTS } from './texts';

interface WatchDialogProps {
  selection: RequestSelection;
  onClose(): void;
}

/** Asks for the source whose changes run the requests again. */
export function WatchDialog({ selection, onClose }: WatchDialogProps) {
  const backend = useBackend();
  const [path, setPath] = useState('.');
  const start = () => {
    onClose();
    void runRequests(backend, { selection, update: false, watch: path });
  };
  return (
    <Dialog
      title={REQUESTS.watchTitle}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{REQUESTS.cancel}</Button>
          <Button variant="primary" isDisabled={path.trim() === ''} onPress={start}>
            {REQUESTS.watchStart}
          </Button>
        </>
      }
    >
      <div className="stack gap-6">
        <p className="break-anywhere text-data remark">{REQUESTS.watchMeaning}</p>
        <TextField
          label={REQUESTS.watchPath}
          description={REQUESTS.watchHint}
          mono
          autoFocus
          value={path}
          onChange={setPath}
        />
      </div>
    </Dialog>
  );
}
