import type { Client, Profile, ServerId, ServerView } from '@/backend/bindings';
import { byTokens, type ServerSum, type Sum } from '@/state/clients/token-sums';

/** Cost of the tools of a profile, of whose servers only those that are connected count. */
export interface ProfileSum extends Sum {
  readonly name: string;
  readonly connected: number;
  readonly servers: number;
}

/** The servers of a client, and those of them that are connected, with tools or without. */
interface ProfileScope {
  readonly client: Client;
  readonly servers: readonly ServerView[];
  readonly connected: readonly ServerId[];
}

/** The profiles that have servers of a client, by what those cost, the heaviest first. */
export function profileSums(
  sums: readonly ServerSum[],
  { client, servers, connected }: ProfileScope,
  profiles: readonly Profile[],
): readonly ProfileSum[] {
  return profiles
    .map((profile) => {
      const own = servers.filter((server) => {
        const id = idIn(client, server);
        return id !== undefined && profile.servers.includes(id);
      });
      const ids = new Set(own.map(({ id }) => id));
      const counted = sums.filter(({ id }) => ids.has(id));
      return {
        name: profile.name,
        connected: connected.filter((id) => ids.has(id)).length,
        servers: own.length,
        tools: counted.reduce((sum, { tools }) => sum + tools, 0),
        tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
      };
    })
    .filter((sum) => sum.servers > 0)
    .toSorted(byTokens);
}

/** The id of a server in a client, which may be one of several that define the very same. */
function idIn(client: Client, { id, target, also }: ServerView): ServerId | undefined {
  if (target?.client === client) return id;
  return also.find((place) => place.target.client === client)?.server;
}
