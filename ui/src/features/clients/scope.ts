import { useMemo } from 'react';
import type { ModelClientView, ServerId, ServerView } from '@/backend/bindings';
import { useLists } from '@/state/calls/lists';
import type { ClientSubject } from '@/state/clients/in-clients';
import { isLive } from '@/state/servers/phases';

/** The servers that a section tells of, as one client's model sees them. */
export interface ClientScope {
  subject: ClientSubject;
  client: ModelClientView;
  servers: readonly ServerView[];
  /** Those that are connected. */
  connected: readonly ServerId[];
  /** Another one whenever what the connected servers list may be another. */
  revision: string;
}

/** Tells whether servers of a client are the subject, and not one server. */
export function isOfAll({ subject }: ClientScope): boolean {
  return subject === 'all';
}

/** The servers that a client has, where its own definition or the very same one counts. */
export function serversOf(client: ModelClientView, servers: readonly ServerView[]): ServerView[] {
  return servers.filter(
    ({ target, also }) =>
      target?.client === client.client ||
      also.some((place) => place.target.client === client.client),
  );
}

/** The client that is shown first: of those that have the server the one that most people use. */
export function clientOf(
  server: ServerView,
  clients: readonly ModelClientView[],
): ModelClientView | undefined {
  const having = clients.filter((client) => serversOf(client, [server]).length > 0);
  const isUsual = ({ client }: ModelClientView) => client === 'claude-code';
  const own = having.find(({ client }) => client === server.target?.client);
  return having.find(isUsual) ?? own ?? having[0] ?? clients.find(isUsual) ?? clients[0];
}

/** Puts a scope together. It stays the same for as long as nothing in it differs. */
export function useScope(
  subject: ClientSubject,
  client: ModelClientView,
  servers: readonly ServerView[],
): ClientScope {
  const live = servers.filter(({ status }) => isLive(status.phase)).map(({ id }) => id);
  const liveKey = live.join('\n');
  const revision = useLists(({ byServer }) =>
    live
      .map((id) => {
        const lists = byServer[id];
        const { tools, prompts, resources } = lists ?? {};
        return [tools, prompts, resources].map((list) => list?.revision ?? '').join('.');
      })
      .join(' '),
  );
  return useMemo(
    () => ({
      subject,
      client,
      servers,
      connected: liveKey === '' ? [] : liveKey.split('\n'),
      revision: `${liveKey}\n${revision}`,
    }),
    [subject, client, servers, liveKey, revision],
  );
}
