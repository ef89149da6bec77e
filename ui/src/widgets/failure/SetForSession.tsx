import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { showRepair } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { reconnect, whenConnected } from '@/state/servers/connecting';
import { useEditableTarget } from '@/state/setup/configuration';
import { SessionValues } from './SessionValues';
import { SESSION_VALUES } from './texts';

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
  const start = () => {
    if (!then) return reconnect(backend, server.id);
    const { signal } = new AbortController();
    whenConnected(backend, server.id, { isAnew: true, signal }).then(then, showError);
  };
  return (
    <SessionValues
      server={server}
      missing={[{ type: 'setVariable', name, input: null }]}
      verb={verb}
      start={start}
      also={(value) =>
        canSave && (
          <Button
            isDisabled={value === ''}
            onPress={() => showRepair(server.id, { kind: 'variable', name, value })}
          >
            {SESSION_VALUES.save}
          </Button>
        )
      }
    />
  );
}
