import { create } from 'zustand';
import { recall, remember } from '@/lib/remembered';

const NAME = 'sidebar.folded';
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The groups of the sidebar that the user has collapsed. This window remembers them. */
const useStore = create<{ folded: ReadonlySet<string> }>(() => ({
  folded: new Set(recall(NAME, areTexts) ?? []),
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
  remember(NAME, [...next]);
}
