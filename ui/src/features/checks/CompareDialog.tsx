import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  AuthView,
  ServerId,
  ServerSettings,
  ServerView,
  SessionView,
  SurfaceCounterpart,
} from '@/backend/bindings';
import { Select } from '@/components/Select';
import { useAsyncEffect } from '@/components/use-async-effect';
import { readMembers } from '@/lib/json/members';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { recordedServers, useSessions } from '@/state/record/sessions';
import { useServer, useServers } from '@/state/servers/servers';
import { useAuth } from '@/state/sign-in/auth';
import { ComparisonDialog } from '@/widgets/surface-changes/ComparisonDialog';
import { SURFACE } from './surface-texts';

/** Compares a server with another one, or with itself in another situation. */
export function CompareDialog({ server: id }: { server: ServerId }) {
  const server = useServer(id);
  return server && <Comparison server={server} />;
}

function Comparison({ server }: { server: ServerView }) {
  const backend = useBackend();
  const servers = useServers((state) => state.servers);
  const auth = useAuth((state) => state.views[server.id]);
  const [settings, setSettings] = useState<ServerSettings | null>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.getServerSettings(server.id),
      onValue: setSettings,
      onError: showError,
    }),
    [backend, server.id],
  );
  const sessions = useSessions((state) => state.sessions);
  const choices = counterpartsOf(server, { servers, sessions, auth, settings });
  const [chosen, setChosen] = useState<string | null>(null);
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0];
  return (
    <ComparisonDialog
      title={SURFACE.compareTitle(visibleText(server.name))}
      sides={choice?.value ?? ''}
      compare={choice ? () => backend.compareSurface(server.id, choice.counterpart) : null}
    >
      <Select
        label={SURFACE.counterpart}
        description={SURFACE.compareMeaning}
        choices={choices}
        value={choice?.value ?? null}
        onChange={setChosen}
      />
    </ComparisonDialog>
  );
}

/** Extensions that servers are known to ask for. */
const KNOWN_EXTENSIONS = ['io.modelcontextprotocol/ui', 'io.modelcontextprotocol/tasks'] as const;

/** Sides at hand to compare a server with. */
interface AtHand {
  servers: readonly ServerView[];
  sessions: readonly SessionView[];
  auth: AuthView | undefined;
  settings: Pick<ServerSettings, 'extensions'> | null;
}

/** Everything that a server can be compared with. */
function counterpartsOf(server: ServerView, { servers, sessions, auth, settings }: AtHand) {
  const of = (counterpart: SurfaceCounterpart, label: string, detail: string) => ({
    value: JSON.stringify(counterpart),
    label,
    detail,
    counterpart,
  });
  const declared = Object.keys(readMembers(settings?.extensions ?? ''));
  const extensions = [...new Set([...declared, ...KNOWN_EXTENSIONS])];
  return [
    ...servers
      .filter(({ id }) => id !== server.id)
      .map(({ id, name }) =>
        of({ type: 'server', server: id }, visibleText(name), SURFACE.otherServer),
      ),
    ...recordedServers(sessions).map(({ recording, label }) =>
      of({ type: 'recording', recording }, label, SURFACE.recording),
    ),
    of({ type: 'reconnect' }, SURFACE.reconnect, SURFACE.reconnectDetail),
    ...(['modern', 'legacy'] as const).map((era) =>
      of({ type: 'era', era }, SURFACE.era[era], SURFACE.eraDetail[era]),
    ),
    ...(auth?.identities ?? [])
      .filter(({ name }) => name !== auth?.identity)
      .map(({ name }) =>
        of(
          { type: 'identity', identity: name },
          SURFACE.identity(visibleText(name)),
          SURFACE.identityDetail,
        ),
      ),
    ...extensions.map((name) => {
      const isDeclared = declared.includes(name);
      return of(
        { type: 'extension', name, isDeclared: !isDeclared },
        (isDeclared ? SURFACE.withoutExtension : SURFACE.withExtension)(visibleText(name)),
        SURFACE.extensionDetail,
      );
    }),
  ];
}
