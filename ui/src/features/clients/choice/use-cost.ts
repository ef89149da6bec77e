import { useBackend } from '@/backend/backend';
import type { ServerId, TokenCostView } from '@/backend/bindings';
import { useInClients } from '@/state/clients/in-clients';
import { usualModel } from '@/state/clients/token-sums';
import type { ClientScope } from '../scope';
import { useAnswer } from '../use-answer';

/** The cost of the tools of a server, under the names of the client. */
export function useCost({ client, revision }: ClientScope, server: ServerId) {
  const backend = useBackend();
  const contextWindow = useInClients((state) => state.contextWindow);
  const model = useInClients((state) => state.models[client.client] ?? usualModel(client.scheme));
  return useAnswer<TokenCostView>(
    () =>
      backend.getTokenCost({
        servers: [server],
        scheme: client.scheme,
        model,
        window: contextWindow,
        toolSearch: null,
        withUnsent: true,
      }),
    [backend, client.scheme, server, model, contextWindow, revision],
  );
}
