import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { Client, ModelClientView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { canBeConnected, connect } from '@/state/servers/connecting';
import { isLive } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';
import { clientOf, useConfiguration } from '@/state/setup/configuration';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from './Answered';
import { ClientSections } from './ClientSections';
import { serversOf } from './scope';
import { MODEL } from './texts';

/** The tools, names and tokens that a client gets of all its servers. */
export default function ClientGets({ client }: { client: Client }) {
  const backend = useBackend();
  const clients = useAnswer(() => backend.listModelClients(), [backend]);
  const title = useConfiguration(({ view }) => clientOf(view, client)?.title ?? client);
  return (
    <Answered answer={clients} asking={null}>
      {(all) => {
        const known = all.find((one) => one.client === client);
        if (known) return <Sections key={client} client={known} />;
        return <EmptyState title={MODEL.unknown(title)}>{MODEL.unknownHint}</EmptyState>;
      }}
    </Answered>
  );
}

function Sections({ client }: { client: ModelClientView }) {
  const backend = useBackend();
  const all = useServers((state) => state.servers);
  const servers = useMemo(() => serversOf(client, all), [client, all]);
  const waiting = servers.filter(canBeConnected);
  const connected = servers.filter(({ status }) => isLive(status.phase)).length;
  return (
    <ClientSections subject="all" client={client} servers={servers}>
      <span className="truncate remark">
        {MODEL.servers(servers.length, connected, client.title)}
      </span>
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
    </ClientSections>
  );
}
