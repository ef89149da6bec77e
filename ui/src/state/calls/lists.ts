import { create } from 'zustand';
import type { ListChange, ListKind, ServerId, ServerView } from '@/backend/bindings';

interface ListsState {
  /** The state of each list of each server; the items themselves are asked for by window. */
  byServer: Record<ServerId, Partial<Record<ListKind, ListChange>>>;
  replace(servers: ServerView[]): void;
  set(server: ServerId, change: ListChange): void;
}

export const useLists = create<ListsState>((set) => ({
  byServer: {},
  replace: (servers) =>
    set({
      byServer: Object.fromEntries(servers.map(({ id, lists }) => [id, byKind(lists)])),
    }),
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
