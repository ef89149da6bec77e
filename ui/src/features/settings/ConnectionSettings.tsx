import { type ReactNode, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerSettings, ServerView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { Switch } from '@/components/Switch';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { reconnect } from '@/state/servers/connecting';
import { isAtRest } from '@/state/servers/obstacle';
import { Group, Line, NumberField } from './Parts';
import { PathField } from './PathField';
import { ProtocolSelect } from './ProtocolSelect';
import styles from './settings.module.css';
import { RECORD, SERVER, SETTINGS } from './texts';

/** Changes that are not saved, by server: they stay while the user looks elsewhere. */
const drafts = new Map<ServerId, ServerSettings>();

interface ConnectionSettingsProps {
  server: ServerView;
  /** Stands below it; with it from the first picture on, so that it does not move. */
  children?: ReactNode;
}

/** Settings of one server that are kept here, and in no client's file. */
export function ConnectionSettings({ server, children }: ConnectionSettingsProps) {
  const { id } = server;
  const backend = useBackend();
  const [kept, setKept] = useState<ServerSettings | null>(null);
  const [draft, setDraft] = useState(drafts.get(id) ?? null);
  const [note, setNote] = useState<{ text: string; isBad: boolean } | null>(null);
  const save = useRef<HTMLButtonElement>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.getServerSettings(id),
      onValue: setKept,
      onError: (reason) => setNote({ text: asCommandError(reason).message, isBad: true }),
    }),
    [backend, id],
  );
  const change = (next: ServerSettings | null) => {
    setNote(null);
    setDraft(next);
    if (next) drafts.set(id, next);
    else drafts.delete(id);
  };
  const settings = draft ?? kept;
  if (!settings) return note && <p className="pad-x-8 pad-y-6 bad">✕ {visibleText(note.text)}</p>;
  const isConnected = !isAtRest(server);
  const keep = async () => {
    try {
      await backend.updateServerSettings(id, settings);
      setKept(settings);
      change(null);
      setNote({ text: SERVER.saved, isBad: false });
      if (isConnected) reconnect(backend, id);
    } catch (reason) {
      setNote({ text: asCommandError(reason).message, isBad: true });
    }
  };
  const discard = () => {
    change(null);
    save.current?.focus();
  };
  return (
    <>
      <form
        aria-label={SERVER.title(visibleText(server.name))}
        className={styles.page}
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <Fields server={server} settings={settings} onChange={change} />
        <div className="row wrap gap-4">
          <Button ref={save} type="submit" variant={draft ? 'primary' : 'plain'}>
            {isConnected ? SERVER.saveAndReconnect : SERVER.save}
          </Button>
          {draft && <Button onPress={discard}>{SERVER.discard}</Button>}
          <span role="status" className={note?.isBad ? 'bad' : 'remark'}>
            {note && visibleText(note.text)}
          </span>
        </div>
      </form>
      {children}
    </>
  );
}

interface FieldsProps {
  server: ServerView;
  settings: ServerSettings;
  onChange: (settings: ServerSettings) => void;
}

function Fields({ server, settings, onChange }: FieldsProps) {
  const change = (changed: Partial<ServerSettings>) => onChange({ ...settings, ...changed });
  const limitOf = (phase: 'executing' | null) => {
    const limit = server.limits.find((known) => known.phase === phase)?.limit;
    return limit ? formatDuration(limit).replace('.0 ', ' ') : SERVER.noLimit;
  };
  return (
    <div className="stack gap-10">
      <p className="remark">{SERVER.meaning}</p>
      <Group level={2} title={SERVER.connecting}>
        <ProtocolSelect
          value={settings.protocol}
          none={SERVER.asConfigured}
          onChange={(protocol) => change({ protocol })}
        />
        <div className={styles.numbers}>
          <NumberField
            annotation={SETTINGS.seconds}
            label={SERVER.start}
            placeholder={limitOf(null)}
            value={settings.startupLimit}
            onChange={(startupLimit) => change({ startupLimit })}
          />
          <NumberField
            annotation={SETTINGS.seconds}
            label={SERVER.call}
            placeholder={limitOf('executing')}
            value={settings.callLimit}
            onChange={(callLimit) => change({ callLimit })}
          />
        </div>
      </Group>
      <Group level={2} title={SERVER.client}>
        <div className={styles.numbers}>
          <TextField
            label={SERVER.name}
            annotation="clientInfo.name"
            placeholder="sightglass"
            value={settings.clientName}
            onChange={(clientName) => change({ clientName })}
          />
          <TextField
            label={SERVER.version}
            annotation="clientInfo.version"
            placeholder={SERVER.ownVersion}
            value={settings.clientVersion}
            onChange={(clientVersion) => change({ clientVersion })}
          />
        </div>
        <Line title={SERVER.capabilities}>
          <div className={styles.switches}>
            <Switch isSelected={settings.roots} onChange={(roots) => change({ roots })}>
              Roots
            </Switch>
            <Switch isSelected={settings.sampling} onChange={(sampling) => change({ sampling })}>
              Sampling
            </Switch>
            <Switch
              isSelected={settings.elicitation}
              onChange={(elicitation) => change({ elicitation })}
            >
              Elicitation
            </Switch>
          </div>
        </Line>
      </Group>
      <Group level={2} title={RECORD.title}>
        <Line title={SERVER.messages}>
          <Switch isSelected={settings.record} onChange={(record) => change({ record })}>
            {SERVER.recordThem}
          </Switch>
        </Line>
        <p className="remark">{SERVER.recordMeaning}</p>
      </Group>
      {server.transport !== 'stdio' && (
        <Group level={2} title={SERVER.certificate}>
          <PathField
            label={SERVER.certificateFile}
            placeholder={SERVER.none}
            value={settings.certificateFile}
            onChange={(certificateFile) => change({ certificateFile })}
          />
          <PathField
            label={SERVER.keyFile}
            placeholder={SERVER.none}
            value={settings.keyFile}
            onChange={(keyFile) => change({ keyFile })}
          />
          <p className="remark">{SERVER.certificateMeaning}</p>
        </Group>
      )}
    </div>
  );
}
