import { create } from 'zustand';
import type {
  ConnectionStatus,
  ProjectView,
  ScopeFileView,
  ServerId,
  ServerView,
} from '@/backend/bindings';

interface ServersState {
  /** Whether the snapshot is there. */
  loaded: boolean;
  version: string;
  project: ProjectView;
  /** In the order of the sidebar's scopes; at most a few hundred. */
  servers: ServerView[];
  files: ScopeFileView[];
  replace(servers: ServerView[], files: ScopeFileView[]): void;
  setStatus(server: ServerId, status: ConnectionStatus): void;
}

export const useServers = create<ServersState>((set) => ({
  loaded: false,
  version: '',
  project: { name: '', path: '', data_directory: '' },
  servers: [],
  files: [],
  replace: (servers, files) => set({ servers, files }),
  setStatus: (server, status) =>
    set((state) => ({
      servers: state.servers.map((known) => (known.id === server ? { ...known, status } : known)),
    })),
}));

/** One server; nothing once it is gone. */
export function useServer(id: ServerId | null): ServerView | undefined {
  return useServers((state) => state.servers.find((server) => server.id === id));
}
