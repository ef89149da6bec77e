import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerSettings, ServerView } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useSessions } from '@/state/record/sessions';
import { useServer, useServers } from '@/state/servers/servers';
import { useAuth } from '@/state/sign-in/auth';
import { ComparisonDialog } from '@/widgets/surface-changes/ComparisonDialog';
import { counterpartsOf } from './counterparts';
import { SURFACE } from './texts';

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
