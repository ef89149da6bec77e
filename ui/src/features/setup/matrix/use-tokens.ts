import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Client, ServerId, ServerView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useLists } from '@/state/calls/lists';
import { conditionTone } from '@/state/servers/obstacle';
import { isLive } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';
import type { MatrixColumn, MatrixRow } from './matrix-rows';

/** Estimate of the tokens that a client puts before its model, as far as its servers are connected. */
export interface ClientTokens {
  total: number;
  byServer: ReadonlyMap<ServerId, number>;
  /** Servers that are on, and those of them that are counted. */
  on: number;
  counted: number;
}

/** Estimates the tokens of each client's servers, again when a list is another one. */
export function useTokens(columns: readonly MatrixColumn[]): ReadonlyMap<Client, ClientTokens> {
  const backend = useBackend();
  const servers = useServers((state) => state.servers);
  const live = servers.filter(({ status }) => isLive(status.phase));
  const revision = useLists(({ byServer }) =>
    live.map(({ id }) => `${id} ${byServer[id]?.tools?.revision ?? ''}`).join('\n'),
  );
  const [tokens, setTokens] = useState<ReadonlyMap<Client, ClientTokens>>(new Map());
  const asked = columns.map((column) => {
    const on = column.view.servers.filter(({ state }) => state.type === 'wins');
    const ids = on.flatMap(({ server }) => sidebarServer(live, server)?.id ?? []);
    return { client: column.client, on: on.length, ids: [...new Set(ids)] };
  });
  const key = `${revision}\n${asked.map(({ client, on, ids }) => [client, on, ...ids].join(' ')).join('\n')}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that is asked.
  useAsyncEffect(() => {
    const counting = asked.filter(({ ids }) => ids.length > 0);
    return {
      start: async () => {
        const schemes = new Map(
          counting.length === 0
            ? []
            : (await backend.listModelClients()).map(({ client, scheme }) => [client, scheme]),
        );
        const counted = new Map<Client, ClientTokens>();
        for (const { client, on, ids } of counting) {
          const estimates = await backend.getTokenEstimates(schemes.get(client) ?? null, ids);
          counted.set(client, {
            total: estimates.reduce((sum, estimate) => sum + estimate, 0),
            byServer: new Map(ids.map((id, index) => [id, estimates[index] ?? 0])),
            on,
            counted: ids.length,
          });
        }
        return counted;
      },
      // A server that went meanwhile makes another question of it.
      onValue: setTokens,
    };
  }, [backend, key]);
  return tokens;
}

/** The server of the sidebar that stands for one of a file, if need be for the very same one. */
function sidebarServer(
  servers: readonly ServerView[],
  id: ServerId | null,
): ServerView | undefined {
  if (id === null) return undefined;
  return servers.find(
    (server) => server.id === id || server.also.some((place) => place.server === id),
  );
}

/** The servers that cannot be connected as they are or failed at it, under each of their names. */
export function useHeldServers(): ReadonlySet<ServerId> {
  const held = useServers(({ servers }) =>
    servers
      .filter((server) => conditionTone(server) !== 'idle')
      .flatMap(({ id, also }) => [id, ...also.map(({ server }) => server)])
      .join('\n'),
  );
  return useMemo(() => new Set(held.split('\n')), [held]);
}

/** The server of the sidebar that a row is about, if there is one. */
export function useRowServer(row: MatrixRow): ServerView | undefined {
  const servers = useServers((state) => state.servers);
  return useMemo(() => {
    const own = row.cells.get(row.from.client)?.source;
    const others = [...row.cells.values()].map(({ source }) => source);
    for (const source of own ? [own, ...others] : others) {
      const found = sidebarServer(servers, source.server);
      if (found) return found;
    }
    return undefined;
  }, [servers, row]);
}
