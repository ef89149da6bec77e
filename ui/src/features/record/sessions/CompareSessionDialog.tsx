import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RecordedServer, ServerId, SessionId, SessionView } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { type RecordedChoice, recordedServers, useSessions } from '@/state/record/sessions';
import { useLiveServers } from '@/state/servers/servers';
import { ComparisonDialog } from '@/widgets/surface-changes/ComparisonDialog';
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
  const compare = (from: RecordedServer, { to }: Counterpart) =>
    'server' in to
      ? backend.compareSurface(to.server, { type: 'recording', recording: from })
      : backend.compareRecordings(from, to.recording);
  return (
    <ComparisonDialog
      title={COMPARE.title(visibleText(session.name))}
      sides={`${before?.value} ${after?.value}`}
      compare={before && after ? () => compare(before.recording, after) : null}
    >
      {own.length > 1 && (
        <Select
          label={COMPARE.recorded}
          choices={own}
          value={before?.value ?? null}
          onChange={setOwnValue}
        />
      )}
      {after === undefined ? (
        <p className="text-data remark">{COMPARE.nothing}</p>
      ) : (
        <Select
          label={COMPARE.with}
          description={COMPARE.meaning}
          choices={counterparts}
          value={after.value}
          onChange={setChosen}
        />
      )}
    </ComparisonDialog>
  );
}
