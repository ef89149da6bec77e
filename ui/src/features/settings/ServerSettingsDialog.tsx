import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerSettings, ServerView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Switch } from '@/components/Switch';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { reconnect } from '@/state/servers/connecting';
import { isAtRest } from '@/state/servers/obstacle';
import { useServer } from '@/state/servers/servers';
import { PathField } from './PathField';
import { ProtocolSelect } from './ProtocolSelect';
import { SecondsField } from './SecondsField';
import styles from './settings.module.css';
import { RECORD, SERVER } from './texts';

/** Settings of one server that are kept here, and in no client's file. */
export function ServerSettingsDialog({ server: id }: { server: ServerId }) {
  const backend = useBackend();
  const close = useClose();
  const server = useServer(id);
  const [settings, setSettings] = useState<ServerSettings | null>(null);
  const [error, setError] = useState<string | null>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.getServerSettings(id),
      onValue: setSettings,
      onError: (reason) => setError(asCommandError(reason).message),
    }),
    [backend, id],
  );
  if (!server) return null;
  const isConnected = !isAtRest(server);
  const save = async () => {
    if (!settings) return;
    try {
      await backend.updateServerSettings(id, settings);
      close();
      if (isConnected) reconnect(backend, id);
    } catch (reason) {
      setError(asCommandError(reason).message);
    }
  };
  return (
    <Dialog
      title={SERVER.title(visibleText(server.name))}
      isOpen
      asksToDiscard
      onClose={close}
      problem={error}
      footer={
        <>
          <Button onPress={close}>{SERVER.cancel}</Button>
          <Button variant="primary" isDisabled={settings === null} onPress={() => void save()}>
            {isConnected ? SERVER.saveAndReconnect : SERVER.save}
          </Button>
        </>
      }
    >
      {settings && (
        <Fields server={server} settings={settings} onChange={(next) => setSettings(next)} />
      )}
    </Dialog>
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
      <section className="stack gap-4">
        <h3>{SERVER.connecting}</h3>
        <ProtocolSelect
          value={settings.protocol}
          none={SERVER.asConfigured}
          onChange={(protocol) => change({ protocol })}
        />
        <div className={styles.numbers}>
          <SecondsField
            label={SERVER.start}
            placeholder={limitOf(null)}
            value={settings.startupLimit}
            onChange={(startupLimit) => change({ startupLimit })}
          />
          <SecondsField
            label={SERVER.call}
            placeholder={limitOf('executing')}
            value={settings.callLimit}
            onChange={(callLimit) => change({ callLimit })}
          />
        </div>
      </section>
      <section className="stack gap-4">
        <h3>{SERVER.client}</h3>
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
        <div className={styles.line}>
          <span>{SERVER.capabilities}</span>
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
        </div>
      </section>
      <section className="stack gap-4">
        <h3>{RECORD.title}</h3>
        <div className={styles.line}>
          <span>{SERVER.messages}</span>
          <Switch isSelected={settings.record} onChange={(record) => change({ record })}>
            {SERVER.recordThem}
          </Switch>
        </div>
        <p className="remark">{SERVER.recordMeaning}</p>
      </section>
      {server.transport !== 'stdio' && (
        <section className="stack gap-4">
          <h3>{SERVER.certificate}</h3>
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
        </section>
      )}
    </div>
  );
}
