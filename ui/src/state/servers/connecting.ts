import type { Backend } from '@/backend/backend';
import type { FolderTrustView, ServerId, ServerView } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useSnapshot } from '@/state/snapshot';
import { isAtRest } from './obstacle';
import { isUsable, useServers } from './servers';

/**
 * Tells whether the user has to say first if the program of this server may start in the folder.
 */
function asksAboutFolder(server: ServerView, folder: FolderTrustView): boolean {
  if (server.blocked) return server.blocked.type === 'folderNotTrusted';
  return folder.answer === 'notAsked' && server.start?.next === 'emptyDirectory';
}

/** Does what may start a server, after the question about the folder where that is open. */
export function startServer(id: ServerId, start: () => Promise<unknown>): void {
  const server = useServers.getState().servers.find((known) => known.id === id);
  if (server && asksAboutFolder(server, useSnapshot.getState().folder)) {
    useDialogs.getState().showWhenFree({ kind: 'folder-trust', server: id, start });
  } else {
    start().catch(showError);
  }
}

/** Tells whether a server can be connected without a question to the user. */
export function canBeConnected(server: ServerView): boolean {
  return isAtRest(server) && isUsable(server) && !server.disabled && server.obstacle === null;
}

/** Connects, or asks about the folder first. */
export function connect(backend: Backend, id: ServerId): void {
  startServer(id, () => backend.connect(id));
}

/** Milliseconds within which a server that was just written has to be among the servers. */
const KNOWN_TIMEOUT = 10_000;

/** Connects to a server that was just written, as soon as it is among the servers. */
export function connectOnceKnown(backend: Backend, id: ServerId): void {
  onceKnown(id, () => connect(backend, id));
}

/** Does something with a server that was just made, as soon as it is among the servers. */
export function onceKnown(id: ServerId, run: () => void): void {
  const isKnown = () => useServers.getState().servers.some((server) => server.id === id);
  if (isKnown()) {
    run();
    return;
  }
  const stop = useServers.subscribe(() => {
    if (!isKnown()) return;
    end();
    run();
  });
  const timer = setTimeout(() => end(), KNOWN_TIMEOUT);
  const end = () => {
    clearTimeout(timer);
    stop();
  };
}

/** Ends a connection and makes it anew, as the files now say. */
export function reconnect(backend: Backend, id: ServerId): void {
  startServer(id, async () => {
    await backend.disconnect(id);
    await backend.connect(id);
  });
}
