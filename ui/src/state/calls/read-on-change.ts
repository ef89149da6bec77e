import { create } from 'zustand';
import type { ServerId } from '@/backend/bindings';

/** The resources that are read again whenever they change, while they are shown. */
const useStore = create<{ resources: ReadonlySet<string> }>(() => ({ resources: new Set() }));

const nameOf = (server: ServerId, uri: string) => `${server}\n${uri}`;

export function useReadsOnChange(server: ServerId, uri: string): boolean {
  return useStore((state) => state.resources.has(nameOf(server, uri)));
}

export function setReadsOnChange(server: ServerId, uri: string, isOn: boolean): void {
  useStore.setState(({ resources }) => {
    const next = new Set(resources);
    if (isOn) next.add(nameOf(server, uri));
    else next.delete(nameOf(server, uri));
    return { resources: next };
  });
}
