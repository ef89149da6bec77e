import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelClientView, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { ChoiceSection } from './choice/ChoiceSection';
import { clientOf, useScope } from './scope';
import { MODEL } from './texts';
import { useAnswer } from './use-answer';

/** The tools of a server that its own client puts before the model. */
export default function AllowedTools({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { value: clients, problem } = useAnswer(() => backend.listModelClients(), [backend]);
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  const client = clients && clientOf(server, clients);
  if (clients && !client) return <EmptyState title={MODEL.noClient} />;
  return client && <OfClient server={server} client={client} />;
}

function OfClient({ server, client }: { server: ServerView; client: ModelClientView }) {
  const servers = useMemo(() => [server], [server]);
  const scope = useScope(server.id, client, servers);
  return <ChoiceSection scope={scope} />;
}
