import { type ReactNode, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ObstacleAction, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { showRepair } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useBusy } from '@/state/servers/attempt';
import { reconnect, whenConnected } from '@/state/servers/connecting';
import { useEditableTarget } from '@/state/setup/configuration';
import { repaired } from '@/state/setup/repair';
import styles from './failure.module.css';
import { LOSS, SESSION_VALUES } from './texts';

/** A value that a server needs: a variable of the environment, or what its client asks for. */
type MissingValue = Extract<ObstacleAction, { type: 'setVariable' }>;

interface SessionValuesProps {
  server: ServerView;
  missing: readonly MissingValue[];
  /** The title of the button. */
  verb?: string;
  /** Starts the server with what was entered. While that takes time nothing is entered again. */
  start(): void | Promise<void>;
  /** Keeps one value in another way, for longer than Sightglass runs. */
  keep?: (value: MissingValue, text: string) => Promise<unknown>;
  /** Something else to do with what was entered first. */
  also?: (value: string) => ReactNode;
}

/** A field for each value that is missing. All but secrets are kept in memory until the app ends. */
export function SessionValues(props: SessionValuesProps) {
  const { server, missing, verb, start, also } = props;
  const backend = useBackend();
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const { isBusy, run } = useBusy();
  const enteredFor = ({ name, input }: MissingValue) => entered[name] ?? input?.default ?? '';
  const isFilled = missing.every((value) => enteredFor(value) !== '');
  const isTried = server.origin === 'tried';
  const keep = async (of: MissingValue, value: string) => {
    const { name } = of;
    if (props.keep) return props.keep(of, value);
    if (isSecret(name)) return backend.updateEntrySecret(server.id, plainName(name), value);
    if (!isTried) return backend.updateSessionVariable(server.id, name, value);
    // It has no entry but its draft, and starts anew with it.
    const known = await backend.getTriedDraft(server.id);
    const draft = repaired(known, { kind: 'variable', name, value });
    return draft && backend.tryServer(draft);
  };
  const areSecrets = props.keep !== undefined || missing.every(({ name }) => isSecret(name));
  const set = () =>
    void run(async () => {
      for (const value of missing) await keep(value, enteredFor(value));
      await start();
    });
  return (
    <form
      className={styles.values}
      onSubmit={(event) => {
        event.preventDefault();
        if (isFilled && !isBusy) set();
      }}
    >
      {missing.map((value) => (
        <SessionValue
          key={value.name}
          missing={value}
          value={enteredFor(value)}
          onChange={(text) => setEntered((known) => ({ ...known, [value.name]: text }))}
        />
      ))}
      {!areSecrets && (
        <p className="regular remark">
          {isTried ? SESSION_VALUES.ofTried : SESSION_VALUES.meaning}
        </p>
      )}
      <span className="flex wrap gap-4">
        <Button variant="primary" type="submit" isDisabled={!isFilled || isBusy}>
          {verb ??
            (areSecrets || missing.every(({ input }) => input !== null)
              ? SESSION_VALUES.connect
              : SESSION_VALUES.setAndConnect)}
        </Button>
        {missing[0] && also?.(enteredFor(missing[0]))}
      </span>
    </form>
  );
}

/** Stands before the name of a secret that is kept for the entry. */
const SECRET = 'secret:';

function isSecret(name: string): boolean {
  return name.startsWith(SECRET);
}

function plainName(name: string): string {
  return isSecret(name) ? name.slice(SECRET.length) : name;
}

interface SessionValueProps {
  missing: MissingValue;
  value: string;
  onChange(value: string): void;
}

/** A variable of the environment, or what a client asks its user for. */
function SessionValue({ missing: { name, input }, value, onChange }: SessionValueProps) {
  const label = visibleText(input?.id ?? plainName(name));
  if (input && input.options.length > 0) {
    return (
      <Select
        label={label}
        {...(input.description ? { description: visibleText(input.description) } : {})}
        value={value}
        onChange={onChange}
        choices={input.options.map((option) => ({ value: option, label: visibleText(option) }))}
      />
    );
  }
  return (
    <TextField
      label={label}
      mono
      type={input && !input.isSecret ? 'text' : 'password'}
      {...(input?.description ? { description: visibleText(input.description) } : {})}
      value={value}
      onChange={onChange}
    />
  );
}

interface SetForSessionProps {
  server: ServerView;
  /** The variable of the environment that its program lacks. */
  name: string;
  /** The title of the button. */
  verb: string;
  /** Goes on with what waits for the server to be ready again. */
  then?: (() => void) | undefined;
}

/** A field for a variable that a program lacks, and the start of the program with it. */
export function SetForSession({ server, name, verb, then }: SetForSessionProps) {
  const backend = useBackend();
  const canSave = useEditableTarget(server) !== undefined;
  const start = () => {
    // One that is in no file has been started with its value.
    const isAnew = server.origin !== 'tried';
    if (!then) return isAnew ? reconnect(backend, server.id) : undefined;
    const { signal } = new AbortController();
    return whenConnected(backend, server.id, { isAnew, signal }).then(then, showError);
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

/** A field for the header with the key that a server asks for, which is kept with its secrets. */
export function SetHeader({ server: { id }, server, name }: Omit<SetForSessionProps, 'verb'>) {
  const backend = useBackend();
  const keep = async (_: MissingValue, key: string) => {
    const { settings } = await backend.getAuthSettings(id);
    const known = settings.secretHeaders.find((one) => one.toLowerCase() === name.toLowerCase());
    if (known === undefined) {
      const secretHeaders = [...settings.secretHeaders, name];
      await backend.updateAuthSettings(id, { ...settings, secretHeaders });
    }
    await backend.updateAuthSecret(id, { type: 'header', name: known ?? name }, key);
  };
  return (
    <SessionValues
      server={server}
      missing={[{ type: 'setVariable', name, input: null }]}
      verb={LOSS.setAndConnect}
      keep={keep}
      start={() => reconnect(backend, id)}
    />
  );
}
