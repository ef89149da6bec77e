import { create } from 'zustand';
import type {
  Client,
  ClientView,
  ConfigFileView,
  ConfigServerView,
  ConfigurationView,
  ServerView,
  Target,
} from '@/backend/bindings';
import { obstacleOf } from '@/state/servers/obstacle';
import { useServers } from '@/state/servers/servers';

interface ConfigurationState {
  /** All files of all clients; a new object with each change. */
  view: ConfigurationView;
  /** Takes a view, unless a newer one is there already. */
  replace(view: ConfigurationView): void;
}

const NOTHING: ConfigurationView = {
  revision: 0,
  clients: [],
  policy: [],
  undo: null,
  redo: null,
};

export const useConfiguration = create<ConfigurationState>((set) => ({
  view: NOTHING,
  replace: (view) => set((state) => (view.revision < state.view.revision ? state : { view })),
}));

export function clientOf(view: ConfigurationView, client: Client): ClientView | undefined {
  return view.clients.find((known) => known.client === client);
}

export function fileOf(view: ConfigurationView, target: Target): ConfigFileView | undefined {
  return clientOf(view, target.client)?.files.find(({ scope }) => scope === target.scope);
}

/** The title of a client; of the files that Sightglass itself reads, its own name. */
export function titleOf({ client, title }: Pick<ClientView, 'client' | 'title'>): string {
  return client === 'mcp-json' ? 'Sightglass' : title;
}

/** The clients that are found here, and Sightglass itself. */
export function clientsHere(view: ConfigurationView): ClientView[] {
  return view.clients.filter(({ client, found }) => found || client === 'mcp-json');
}

/** The names of the servers that clients have, each once. */
export function namesOf(clients: readonly ClientView[]): ReadonlySet<string> {
  return new Set(clients.flatMap(({ servers }) => servers.map(({ name }) => name)));
}

/** The clients that read a file, besides Sightglass itself. */
export function readersOf(view: ConfigurationView, path: string): ClientView[] {
  return view.clients.filter(
    ({ client, files }) => client !== 'mcp-json' && files.some((file) => file.path === path),
  );
}

export function serverOf(
  view: ConfigurationView,
  client: Client,
  name: string,
): ConfigServerView | undefined {
  return clientOf(view, client)?.servers.find((server) => server.name === name);
}

/** Returns the file in which a server of the sidebar is defined; undefined for the built-in one. */
export function targetOf(server: ServerView): Target | undefined {
  return server.target ?? undefined;
}

/** Returns the file in which a server is defined, where it can be edited. */
export function useEditableTarget(server: ServerView | undefined): Target | undefined {
  const target = server?.target;
  return useConfiguration(({ view }) =>
    target && fileOf(view, target)?.writable === true ? target : undefined,
  );
}

/** A file as the user tells it from others: `Project`, or `Codex, user` outside `.mcp.json`. */
export function fileTitle(view: ConfigurationView, target: Target): string {
  const title = fileOf(view, target)?.title ?? target.scope;
  if (target.client === 'mcp-json') return title;
  return `${clientOf(view, target.client)?.title ?? target.client}, ${title.toLowerCase()}`;
}

/** Returns the configuration of a server of the sidebar; undefined for the built-in one. */
export function useConfigured({ target, name }: ServerView): ConfigServerView | undefined {
  return useConfiguration(({ view }) =>
    target === null ? undefined : serverOf(view, target.client, name),
  );
}

/** Counts the servers that wait for the user: to be approved, as their rows say, and to be mended. */
export function useConfigCounts(): { waiting: number; invalid: number } {
  const waiting = useServers(
    ({ servers }) =>
      servers.filter((server) => server.blocked?.type === 'waiting' && obstacleOf(server)).length,
  );
  const invalid = useConfiguration(
    ({ view }) =>
      (clientOf(view, 'mcp-json')?.servers ?? []).filter(({ state }) => state.type === 'invalid')
        .length +
      (clientOf(view, 'mcp-json')?.files ?? []).filter(({ state }) => state === 'broken').length,
  );
  return { waiting, invalid };
}
