import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelClientView, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { useModel } from '@/state/clients/model';
import { ModelSections } from './ModelSections';
import { clientOf } from './scope';
import { MODEL } from './texts';
import { useAnswer } from './use-answer';

/** One server as the models of its clients see it. */
export default function ModelTab({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { value: clients, problem } = useAnswer(() => backend.listModelClients(), [backend]);
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  return clients && <Sections server={server} clients={clients} />;
}

interface SectionsProps {
  server: ServerView;
  clients: readonly ModelClientView[];
}

function Sections({ server, clients }: SectionsProps) {
  const chosen = useModel((state) => state.clients[server.id]);
  const client = clients.find((known) => known.client === chosen) ?? clientOf(server, clients);
  const servers = useMemo(() => [server], [server]);
  if (!client) return <EmptyState title={MODEL.noClient} />;
  return <ModelSections subject={server.id} client={client} clients={clients} servers={servers} />;
}
