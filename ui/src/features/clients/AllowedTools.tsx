import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelClientView, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from './Answered';
import { ChoiceSection } from './choice/ChoiceSection';
import { clientOf, useScope } from './scope';
import { MODEL } from './texts';

/** The tools of a server that its own client puts before the model. */
export default function AllowedTools({ server }: { server: ServerView }) {
  const backend = useBackend();
  const clients = useAnswer(() => backend.listModelClients(), [backend]);
  return (
    <Answered answer={clients} asking={null}>
      {(known) => {
        const client = clientOf(server, known);
        return client ? (
          <OfClient server={server} client={client} />
        ) : (
          <EmptyState title={MODEL.noClient} />
        );
      }}
    </Answered>
  );
}

function OfClient({ server, client }: { server: ServerView; client: ModelClientView }) {
  const servers = useMemo(() => [server], [server]);
  const scope = useScope(server.id, client, servers);
  return <ChoiceSection scope={scope} />;
}
