import { useBackend } from '@/backend/backend';
import type { ServerId, TokenTableView } from '@/backend/bindings';
import { useInClients } from '@/state/clients/in-clients';
import { usualModel } from '@/state/clients/token-sums';
import { useAnswer } from '@/widgets/use-answer';
import type { ClientScope } from './scope';

/** The cost of the tools of a server, under the names of the client. */
export function useCost(
  { client, revision }: ClientScope,
  servers: readonly ServerId[],
  { toolSearch, withUnsent }: { toolSearch: string | null; withUnsent: boolean },
) {
  const backend = useBackend();
  const contextWindow = useInClients((state) => state.contextWindow);
  const model = useInClients((state) => state.models[client.client] ?? usualModel(client.scheme));
  return useAnswer<TokenTableView>(
    () =>
      backend.getTokenCost({
        servers: [...servers],
        scheme: client.scheme,
        model,
        window: contextWindow,
        toolSearch,
        withUnsent,
      }),
    [backend, client.scheme, servers.join('\n'), model, contextWindow, toolSearch, revision],
  );
}
