import { useMemo, useRef } from 'react';
import { create } from 'zustand';
import type {
  ConnectionStatus,
  ProjectView,
  ScopeFileView,
  ServerId,
  ServerView,
} from '@/backend/bindings';
import { isSameList, shared } from '@/lib/shared';
import { hasConnection, isLive, isUnderWay } from './phases';

interface ServersState {
  /** True if the snapshot is there. */
  loaded: boolean;
  version: string;
  project: ProjectView;
  /** The servers in the order of the sidebar's scopes; at most a few hundred. */
  servers: ServerView[];
  files: ScopeFileView[];
  /** Takes over the servers that changed; `order` has all that there are, in their order. */
  change(order: readonly ServerId[], changed: readonly ServerView[], files: ScopeFileView[]): void;
  /** Takes over one server, where it is still there. */
  replace(server: ServerView): void;
  setStatus(server: ServerId, status: ConnectionStatus): void;
}

export const useServers = create<ServersState>((set) => ({
  loaded: false,
  version: '',
  project: { name: '', path: '', dataDirectory: '' },
  servers: [],
  files: [],
  change: (order, changed, files) =>
    set((known) => {
      const byId = new Map(known.servers.map((server) => [server.id, server]));
      for (const server of changed) byId.set(server.id, shared(byId.get(server.id), server));
      const servers = order.flatMap((id) => byId.get(id) ?? []);
      return {
        servers: isSameList(known.servers, servers) ? known.servers : servers,
        files: shared(known.files, files),
      };
    }),
  replace: (server) =>
    set((state) => ({
      servers: state.servers.map((known) =>
        known.id === server.id ? shared(known, server) : known,
      ),
    })),
  setStatus: (server, status) =>
    set((state) => ({
      servers: state.servers.map((known) => (known.id === server ? { ...known, status } : known)),
    })),
}));

/** One server; nothing once it is gone. */
export function useServer(id: ServerId | null): ServerView | undefined {
  return useServers((state) => state.servers.find((server) => server.id === id));
}

/** Tells whether a server is connected at this moment. */
export function isConnected(id: ServerId): boolean {
  const { servers } = useServers.getState();
  return servers.some((server) => server.id === id && isLive(server.status.phase));
}

/** Resolves once a server is connected, or being connected. */
export function firstConnection(): Promise<void> {
  const isThere = () =>
    useServers
      .getState()
      .servers.some(({ status: { phase } }) => isLive(phase) || isUnderWay(phase));
  if (isThere()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useServers.subscribe(() => {
      if (!isThere()) return;
      stop();
      resolve();
    });
  });
}

/** Tells whether the entry of a server is in order, so that something can be done with it. */
export function isUsable(server: ServerView): boolean {
  return !server.problems.some(({ severity }) => severity === 'error');
}

/** Tells whether a server cannot be connected, whatever the user answers about the folder. */
export function isHeldBack({ blocked }: ServerView): boolean {
  return blocked !== null && blocked.type !== 'folderNotTrusted';
}

/** Returns the name of a server; undefined once it is gone. */
export function useServerName(id: ServerId | null): string | undefined {
  return useServers((state) => state.servers.find((server) => server.id === id)?.name);
}

/** The servers that are connected. */
export function useLiveServers(): readonly ServerView[] {
  const servers = useServers((state) => state.servers);
  return useMemo(() => servers.filter(({ status }) => isLive(status.phase)), [servers]);
}

/**
 * The servers as they are configured, and which of them are connected: the same array for as long
 * as nothing else of their status moves.
 */
export function useConfiguredServers(): readonly ServerView[] {
  const known = useRef<readonly ServerView[]>([]);
  return useServers((state) => {
    if (!areConfiguredAlike(known.current, state.servers)) known.current = state.servers;
    return known.current;
  });
}

function areConfiguredAlike(some: readonly ServerView[], others: readonly ServerView[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return (
        other !== undefined &&
        one.id === other.id &&
        one.name === other.name &&
        one.target?.client === other.target?.client &&
        one.target?.scope === other.target?.scope &&
        one.also.length === other.also.length &&
        one.disabled === other.disabled &&
        hasConnection(one) === hasConnection(other)
      );
    })
  );
}
