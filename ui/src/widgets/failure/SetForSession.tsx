import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { showRepair } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { reconnect } from '@/state/servers/connecting';
import { onceReconnected } from '@/state/servers/once-reconnected';
import { useEditableTarget } from '@/state/setup/configuration';
import styles from './failure.module.css';
import { SET_FOR_SESSION } from './texts';

interface SetForSessionProps {
  server: ServerView;
  /** The variable of the environment that its program lacks. */
  name: string;
  /** The title of the button. */
  verb: string;
  /** What goes on once the server is ready again. */
  then?: (() => void) | undefined;
}

/** A field for a variable that a program lacks, and the start of the program with it. */
export function SetForSession({ server, name, verb, then }: SetForSessionProps) {
  const backend = useBackend();
  const canSave = useEditableTarget(server) !== undefined;
  const [value, setValue] = useState('');
  const [isBusy, setBusy] = useState(false);
  const set = async () => {
    setBusy(true);
    try {
      await backend.updateSessionVariable(server.id, name, value);
      if (then) onceReconnected(server.id, then);
      reconnect(backend, server.id);
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.session}
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== '' && !isBusy) void set();
      }}
    >
      <TextField label={name} mono type="password" value={value} onChange={setValue} />
      <p className="regular remark">{SET_FOR_SESSION.meaning}</p>
      <span className="flex wrap gap-4">
        <Button variant="primary" type="submit" isDisabled={value === '' || isBusy}>
          {verb}
        </Button>
        {canSave && (
          <Button
            isDisabled={value === ''}
            onPress={() => showRepair(server.id, { kind: 'variable', name, value })}
          >
            {SET_FOR_SESSION.save}
          </Button>
        )}
      </span>
    </form>
  );
}
