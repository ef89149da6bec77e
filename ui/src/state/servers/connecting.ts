import type { Backend } from '@/backend/backend';
import type { CommandError, FolderTrustView, ServerId, ServerView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useSnapshot } from '@/state/snapshot';
import { conditionText, isAtRest } from './obstacle';
import { isLive, isUnderWay } from './phases';
import { isUsable, useServers } from './servers';

/**
 * Tells whether the user has to say first if the program of this server may start in the folder. One
 * that they have just written starts without it, unless it may miss the folder.
 */
function asksAboutFolder(server: ServerView, folder: FolderTrustView, isWritten: boolean): boolean {
  const { blocked, start } = server;
  if (blocked) return blocked.type === 'folderNotTrusted';
  if (folder.answer !== 'notAsked' || start?.next !== 'emptyDirectory') return false;
  return start.missesFolder || !isWritten;
}

/**
 * Does what may start a server, after the question about the folder where that is open; `left` where
 * that is not answered, and `isWritten` where the user has just written it.
 */
export function startServer(
  id: ServerId,
  start: () => Promise<unknown>,
  { left, isWritten = false }: { left?: () => void; isWritten?: boolean } = {},
): void {
  const server = useServers.getState().servers.find((known) => known.id === id);
  if (server && asksAboutFolder(server, useSnapshot.getState().folder, isWritten)) {
    useDialogs.getState().showWhenFree({ kind: 'folder-trust', server: id, start, left });
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

/**
 * Connects to a server that was just saved, as soon as it is among the servers; `isWritten` where
 * the user wrote it.
 */
export function connectOnceKnown(backend: Backend, id: ServerId, isWritten: boolean): void {
  onceKnown(id, () => startServer(id, () => backend.connect(id), { isWritten }));
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
  startServer(id, () => connectAnew(backend, id));
}

async function connectAnew(backend: Backend, id: ServerId): Promise<void> {
  await backend.disconnect(id);
  await backend.connect(id);
}

const NOT_STARTED = 'The server was not started.';

/**
 * Connects a server, anew where it is connected and that is wanted, and waits until it is ready.
 * Rejects with a `CommandError` when it does not come to that, or the signal ends the wait.
 */
export function whenConnected(
  backend: Backend,
  id: ServerId,
  { isAnew, signal }: { isAnew: boolean; signal: AbortSignal },
): Promise<void> {
  const known = () => useServers.getState().servers.find((server) => server.id === id);
  const before = known()?.status;
  const begins = isAnew || before === undefined || !isUnderWay(before.phase);
  let isAsked = !begins;
  let passed = before?.connection;
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      stop();
      end();
    };
    const refuse = (message = NOT_STARTED, hint: string | null = null) =>
      settle(() => reject({ code: 'notConnected', message, hint } satisfies CommandError));
    const look = () => {
      const server = known();
      // Until the attempt that was asked for is there, all is as it was.
      if (server && (!isAsked || (begins && server.status.connection === passed))) return;
      if (server && isLive(server.status.phase)) settle(resolve);
      else if (!server || isAtRest(server)) {
        refuse(server && conditionText(server), server?.status.failure?.hint.text);
      }
    };
    const start = async () => {
      try {
        if (isAnew) await backend.disconnect(id);
        if (signal.aborted) return;
        // All that was there before has ended, also what was connected meanwhile.
        passed = known()?.status.connection;
        await backend.connect(id);
        isAsked = true;
        look();
      } catch (reason) {
        settle(() => reject(asCommandError(reason)));
      }
    };
    const stop = useServers.subscribe(look);
    signal.addEventListener('abort', () => refuse());
    if (begins) startServer(id, start, { left: refuse });
    else look();
  });
}
