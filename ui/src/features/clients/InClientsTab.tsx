import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelClientView, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Select } from '@/components/Select';
import { useInClients } from '@/state/clients/in-clients';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from './Answered';
import { ClientSections } from './ClientSections';
import styles from './clients.module.css';
import { clientOf } from './scope';
import { MODEL } from './texts';

/** The tools, names and tokens that clients get of one server. */
export default function InClientsTab({ server }: { server: ServerView }) {
  const backend = useBackend();
  const clients = useAnswer(() => backend.listModelClients(), [backend]);
  return (
    <Answered answer={clients} asking={null}>
      {(known) => <Sections server={server} clients={known} />}
    </Answered>
  );
}

interface SectionsProps {
  server: ServerView;
  clients: readonly ModelClientView[];
}

function Sections({ server, clients }: SectionsProps) {
  const chosen = useInClients((state) => state.clients[server.id]);
  const client = clients.find((known) => known.client === chosen) ?? clientOf(server, clients);
  const chooseClient = useInClients((state) => state.chooseClient);
  const servers = useMemo(() => [server], [server]);
  if (!client) return <EmptyState title={MODEL.noClient} />;
  return (
    <ClientSections
      subject={server.id}
      client={client}
      servers={servers}
      lead={
        <Select
          label={MODEL.client}
          hideLabel
          className={styles.client}
          choices={clients.map(({ client: value, title }) => ({ value, label: title }))}
          value={client.client}
          onChange={(next) => chooseClient(server.id, next)}
        />
      }
    />
  );
}
