import { create } from 'zustand';
import { remember } from '@/lib/remembered';
import { FOLDED, foldedGroups } from './groups';

/** The groups of the sidebar that the user has collapsed. This window remembers them. */
const useStore = create<{ folded: ReadonlySet<string> }>(() => ({
  folded: new Set(foldedGroups()),
}));

export function useFoldedSidebarGroups(): ReadonlySet<string> {
  return useStore((state) => state.folded);
}

export function setSidebarGroupFolded(group: string, isFolded: boolean): void {
  const { folded } = useStore.getState();
  if (folded.has(group) === isFolded) return;
  const next = new Set(folded);
  if (isFolded) next.add(group);
  else next.delete(group);
  useStore.setState({ folded: next });
  remember(FOLDED, [...next]);
}
