import { useBackend } from '@/backend/backend';
import type { ServerId, TokenCostView } from '@/backend/bindings';
import { useModel } from '@/state/clients/model';
import { usualModel } from '@/state/clients/token-sums';
import type { ModelScope } from '../scope';
import { useAnswer } from '../use-answer';

/** The cost of the tools of a server, under the names of the client. */
export function useCost({ client, revision }: ModelScope, server: ServerId) {
  const backend = useBackend();
  const contextWindow = useModel((state) => state.contextWindow);
  const model = useModel((state) => state.models[client.client] ?? usualModel(client.scheme));
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
