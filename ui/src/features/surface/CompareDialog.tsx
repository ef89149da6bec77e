import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerSettings, ServerView, SurfaceDifference } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Select } from '@/components/Select';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { useAuth } from '@/state/auth';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useServer, useServers } from '@/state/servers';
import { useSessions } from '@/state/sessions';
import { Differences } from '@/widgets/surface-changes/Differences';
import { counterpartsOf } from './counterparts';
import styles from './surface.module.css';
import { SURFACE } from './texts';

/** Compares a server with another one, or with itself in another situation. */
export function CompareDialog({ server: id }: { server: ServerId }) {
  const server = useServer(id);
  return server && <Comparison server={server} />;
}

function Comparison({ server }: { server: ServerView }) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const servers = useServers((state) => state.servers);
  const auth = useAuth((state) => state.views[server.id]);
  const [settings, setSettings] = useState<ServerSettings | null>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.serverSettings(server.id),
      onValue: setSettings,
      onError: showError,
    }),
    [backend, server.id],
  );
  const sessions = useSessions((state) => state.sessions);
  const choices = counterpartsOf(server, { servers, sessions, auth, settings });
  const [chosen, setChosen] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [difference, setDifference] = useState<SurfaceDifference | null>(null);
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0];
  const compare = async () => {
    if (!choice) return;
    setBusy(true);
    setDifference(null);
    try {
      setDifference(await backend.compareSurface(server.id, choice.counterpart));
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={SURFACE.compareTitle(visibleText(server.name))}
      isOpen
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{SURFACE.close}</Button>
          <Button
            variant="primary"
            isDisabled={isBusy || choice === undefined}
            onPress={() => void compare()}
          >
            {SURFACE.run}
          </Button>
        </>
      }
    >
      <div className={styles.comparison}>
        <Select
          label={SURFACE.counterpart}
          description={SURFACE.compareMeaning}
          choices={choices}
          value={choice?.value ?? null}
          onChange={(value) => {
            setChosen(value);
            setDifference(null);
          }}
        />
        <Differences isBusy={isBusy} difference={difference} />
      </div>
    </Dialog>
  );
}
