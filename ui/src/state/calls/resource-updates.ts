import { create } from 'zustand';
import type { ServerId } from '@/backend/bindings';

const MAX_RESOURCES = 1000;

interface ResourceUpdatesState {
  /**
   * The number of changes of each subscribed resource since it was last read; of the thousand that
   * changed last.
   */
  counts: ReadonlyMap<string, number>;
  /** The moment at which so many resources of a server changed that any may have. */
  allChangedAt: ReadonlyMap<ServerId, number>;
  markAll(server: ServerId): void;
  count(server: ServerId, uri: string): void;
  /** The resource is being read: what comes from here on is new. */
  reset(server: ServerId, uri: string): void;
}

const nameOf = (server: ServerId, uri: string) => `${server}\n${uri}`;

export const useResourceUpdates = create<ResourceUpdatesState>((set) => ({
  counts: new Map(),
  allChangedAt: new Map(),
  markAll: (server) =>
    set((state) => ({ allChangedAt: new Map(state.allChangedAt).set(server, Date.now()) })),
  count: (server, uri) =>
    set((state) => {
      const name = nameOf(server, uri);
      const counts = new Map(state.counts);
      const before = counts.get(name) ?? 0;
      counts.delete(name);
      counts.set(name, before + 1);
      const oldest = counts.size > MAX_RESOURCES ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
      return { counts };
    }),
  reset: (server, uri) =>
    set((state) => {
      const counts = new Map(state.counts);
      counts.delete(nameOf(server, uri));
      return { counts };
    }),
}));

/** Returns how often the server said that this resource changed since it was last read. */
export function useUpdatesSinceRead(server: ServerId, uri: string): number {
  return useResourceUpdates((state) => state.counts.get(nameOf(server, uri)) ?? 0);
}

/** Tells whether so many resources of a server changed after a moment that any may have. */
export function useMayHaveChanged(server: ServerId, since: number | undefined): boolean {
  return useResourceUpdates(
    (state) => since !== undefined && (state.allChangedAt.get(server) ?? 0) >= since,
  );
}
