import { create } from 'zustand';
import type { ListKind, ServerId } from '@/backend/bindings';

const NONE: ReadonlySet<string> = new Set();

/** The groups that the user has collapsed, by server and list, for as long as the window lives. */
const useStore = create<{ byList: ReadonlyMap<string, ReadonlySet<string>> }>(() => ({
  byList: new Map(),
}));

const keyOf = (server: ServerId, list: ListKind) => `${server}\n${list}`;

/** The beginnings of the names in the collapsed groups of one list. */
export function useFoldedGroups(server: ServerId, list: ListKind): ReadonlySet<string> {
  return useStore((state) => state.byList.get(keyOf(server, list)) ?? NONE);
}

export function setGroupFolded(
  server: ServerId,
  list: ListKind,
  prefix: string,
  isFolded: boolean,
): void {
  useStore.setState(({ byList }) => {
    const groups = new Set(byList.get(keyOf(server, list)));
    if (isFolded) groups.add(prefix);
    else groups.delete(prefix);
    return { byList: new Map(byList).set(keyOf(server, list), groups) };
  });
}
