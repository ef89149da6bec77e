import { useEffect } from 'react';
import { create } from 'zustand';
import { type Backend, useBackend } from '@/backend/backend';
import type { ListChange, ListKind, ServerId, ServerView } from '@/backend/bindings';
import { showError } from '@/state/notices';
import { isAtRest } from '@/state/servers/obstacle';
import { isLive } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';

interface ListsState {
  /** The state of each list of each server; the items themselves are asked for by window. */
  byServer: Record<ServerId, Partial<Record<ListKind, ListChange>>>;
  replace(servers: ServerView[]): void;
  set(server: ServerId, change: ListChange): void;
}

export const useLists = create<ListsState>((set) => ({
  byServer: {},
  replace: (servers) =>
    set({ byServer: Object.fromEntries(servers.map(({ id, lists }) => [id, byKind(lists)])) }),
  set: (server, change) =>
    set((state) => ({
      byServer: {
        ...state.byServer,
        [server]: { ...state.byServer[server], [change.list]: change },
      },
    })),
}));

const byKinds = new WeakMap<readonly ListChange[], Partial<Record<ListKind, ListChange>>>();

/** Returns the lists of a server by their kind: the same object for the same lists. */
function byKind(lists: readonly ListChange[]): Partial<Record<ListKind, ListChange>> {
  const known = byKinds.get(lists);
  if (known) return known;
  const made = Object.fromEntries(lists.map((change) => [change.list, change]));
  byKinds.set(lists, made);
  return made;
}

/**
 * Returns the state of one list; undefined before it was first loaded. Ask for its items again when
 * its `revision` moves.
 */
export function useList(server: ServerId, list: ListKind): ListChange | undefined {
  return useLists((state) => state.byServer[server]?.[list]);
}

/** Has the lists of a server show what was seen last, while it is not connected. */
export function useLastSeen(server: ServerView): void {
  const backend = useBackend();
  const isUnknown = useLists(({ byServer }) => !hasItems(byServer[server.id])) && isAtRest(server);
  useEffect(() => {
    if (isUnknown) backend.restoreLists(server.id).catch(showError);
  }, [backend, server.id, isUnknown]);
}

/** The servers that were asked for what was seen last. */
const asked = new Set<ServerId>();

/** Has the lists of all servers that are not connected show what was seen last. */
export async function restoreAllLists(backend: Backend): Promise<void> {
  const { byServer } = useLists.getState();
  const unknown = useServers
    .getState()
    .servers.filter((one) => isAtRest(one) && !hasItems(byServer[one.id]) && !asked.has(one.id));
  for (const { id } of unknown) asked.add(id);
  await Promise.allSettled(unknown.map(({ id }) => backend.restoreLists(id)));
}

/** The servers that are connected, and those of which it is known what they had. */
export function listedServers(): readonly ServerView[] {
  const { byServer } = useLists.getState();
  const { servers } = useServers.getState();
  return servers.filter(({ id, status }) => isLive(status.phase) || hasItems(byServer[id]));
}

function hasItems(lists: Partial<Record<ListKind, ListChange>> = {}): boolean {
  return Object.values(lists).some(({ count }) => count > 0);
}
