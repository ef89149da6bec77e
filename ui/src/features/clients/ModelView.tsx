import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelClientView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { useModel } from '@/state/clients/model';
import { canBeConnected, connect } from '@/state/servers/connecting';
import { isLive } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';
import { ModelSections } from './ModelSections';
import styles from './model.module.css';
import { serversOf } from './scope';
import { MODEL } from './texts';
import { useAnswer } from './use-answer';

/** All servers of a client as its model sees them. */
export default function ModelView() {
  const backend = useBackend();
  const { value: clients, problem } = useAnswer(() => backend.listModelClients(), [backend]);
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  return clients && <View clients={clients} />;
}

function View({ clients }: { clients: readonly ModelClientView[] }) {
  const backend = useBackend();
  const all = useServers((state) => state.servers);
  const chosen = useModel((state) => state.clients.all);
  const client =
    clients.find((known) => known.client === chosen) ??
    clients.find((known) => serversOf(known, all).length > 0) ??
    clients[0];
  const servers = useMemo(() => (client ? serversOf(client, all) : []), [client, all]);
  if (!client) return <EmptyState title={MODEL.noClient} />;
  const waiting = servers.filter(canBeConnected);
  const connected = servers.filter(({ status }) => isLive(status.phase)).length;
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <h1 className="flex-none text-title">{MODEL.title}</h1>
        <span className="remark">{MODEL.servers(servers.length, connected, client.title)}</span>
        <span className="flex-1" />
        {waiting.length > 0 && (
          <Button
            onPress={() => {
              for (const { id } of waiting) connect(backend, id);
            }}
          >
            {MODEL.connectAll(waiting.length)}
          </Button>
        )}
      </header>
      <ModelSections subject="all" client={client} clients={clients} servers={servers} />
    </div>
  );
}
