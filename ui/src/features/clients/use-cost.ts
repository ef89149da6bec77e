import { useBackend } from '@/backend/backend';
import type { ServerId, TokenCostView } from '@/backend/bindings';
import { useModel } from '@/state/clients/model';
import { usualModel } from '@/state/clients/token-sums';
import type { ModelScope } from './scope';
import { useAnswer } from '@/widgets/use-answer';

/** The cost of the tools of a server, under the names of the client. */
export function useCost(
  { client, revision }: ModelScope,
  servers: readonly ServerId[],
  { toolSearch, withUnsent }: { toolSearch: string | null; withUnsent: boolean },
) {
  const backend = useBackend();
  const contextWindow = useModel((state) => state.contextWindow);
  const model = useModel((state) => state.models[client.client] ?? usualModel(client.scheme));
  return useAnswer<TokenCostView>(
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
