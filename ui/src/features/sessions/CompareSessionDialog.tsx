import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, SessionId, SessionView, SurfaceDifference } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useLiveServers } from '@/state/servers';
import { type RecordedChoice, recordedServers, useSessions } from '@/state/sessions';
import { Differences } from '@/widgets/surface-changes/Differences';
import styles from './sessions.module.css';
import { COMPARE } from './texts';

/** Compares a recorded server with a connected one, or with another recorded one. */
export function CompareSessionDialog({ session: id }: { session: SessionId }) {
  const session = useSessions((state) => state.sessions.find((session) => session.id === id));
  return session && <Comparison session={session} />;
}

/** The other side of a comparison. */
interface Counterpart {
  value: string;
  label: string;
  detail: string;
  to: { server: ServerId } | RecordedChoice;
}

function Comparison({ session }: { session: SessionView }) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const sessions = useSessions((state) => state.sessions);
  const live = useLiveServers();
  const own = recordedServers([session]);
  const [ownValue, setOwnValue] = useState(own[0]?.value);
  const before = own.find(({ value }) => value === ownValue) ?? own[0];
  const counterparts: Counterpart[] = [
    ...recordedServers(sessions)
      .filter(({ value }) => value !== before?.value)
      .map((to) => ({ value: to.value, label: to.label, detail: COMPARE.otherRecording, to })),
    ...live.map(({ id, name }) => ({
      value: id,
      label: visibleText(name),
      detail: COMPARE.connectedServer,
      to: { server: id },
    })),
  ];
  const [chosen, setChosen] = useState<string | null>(null);
  const after = counterparts.find(({ value }) => value === chosen) ?? counterparts[0];
  const [isBusy, setBusy] = useState(false);
  const [difference, setDifference] = useState<SurfaceDifference | null>(null);
  const compare = async () => {
    if (!before || !after) return;
    setBusy(true);
    setDifference(null);
    try {
      const { recording } = before;
      setDifference(
        await ('server' in after.to
          ? backend.compareSurface(after.to.server, { kind: 'recording', recording })
          : backend.compareRecordings(recording, after.to.recording)),
      );
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={COMPARE.title(visibleText(session.name))}
      isOpen
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{COMPARE.close}</Button>
          <Button
            variant="primary"
            isDisabled={isBusy || after === undefined}
            onPress={() => void compare()}
          >
            {COMPARE.run}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {own.length > 1 && (
          <Select
            label={COMPARE.recorded}
            choices={own}
            value={before?.value ?? null}
            onChange={(value) => {
              setOwnValue(value);
              setDifference(null);
            }}
          />
        )}
        {after === undefined ? (
          <p className={styles.summary}>{COMPARE.nothing}</p>
        ) : (
          <Select
            label={COMPARE.with}
            description={COMPARE.meaning}
            choices={counterparts}
            value={after.value}
            onChange={(value) => {
              setChosen(value);
              setDifference(null);
            }}
          />
        )}
        <Differences isBusy={isBusy} difference={difference} />
      </div>
    </Dialog>
  );
}
