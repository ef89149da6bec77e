import { create } from 'zustand';
import type { Backend } from '@/backend/backend';
import type { RecordedServer, SessionId, SessionView } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';

interface SessionsState {
  /** The opened session files, in the order in which they were opened. */
  sessions: readonly SessionView[];
  replace(sessions: readonly SessionView[]): void;
}

export const useSessions = create<SessionsState>((set) => ({
  sessions: [],
  replace: (sessions) => {
    set({ sessions });
    const { place, session, selectServer, server } = useNavigation.getState();
    if (place === 'session' && !sessions.some(({ id }) => id === session)) selectServer(server);
  },
}));

/** The session that the window shows, where it shows one. */
export function useShownSession(): SessionView | undefined {
  const id = useNavigation((state) => (state.place === 'session' ? state.session : null));
  return useSessions((state) => state.sessions.find((session) => session.id === id));
}

/** A server of an opened session file, to choose from. */
export interface RecordedChoice {
  /** Different for each. */
  value: string;
  label: string;
  recording: RecordedServer;
}

/** The servers of opened session files. */
export function recordedServers(sessions: readonly SessionView[]): RecordedChoice[] {
  return sessions.flatMap(({ id, name: file, servers }) => {
    const names = servers.length > 1 ? servers : [null];
    return names.map((name) => ({
      value: JSON.stringify([id, name]),
      label: visibleText(name === null ? file : `${name} · ${file}`),
      recording: { session: id, name },
    }));
  });
}

/** Opens a session file and shows it. */
export async function openSession(backend: Backend, path: string): Promise<void> {
  try {
    const opened = await backend.openSession(path);
    const { sessions, replace } = useSessions.getState();
    if (!sessions.some(({ id }) => id === opened.id)) replace([...sessions, opened]);
    useNavigation.getState().openSession(opened.id);
  } catch (reason) {
    showError(reason);
  }
}

/** Asks for a session file, opens it and shows it. */
export async function chooseSession(backend: Backend): Promise<void> {
  const path = await backend.chooseFile().catch(showError);
  if (path) await openSession(backend, path);
}

/** Closes a session file. */
export async function closeSession(backend: Backend, id: SessionId): Promise<void> {
  await backend.closeSession(id).catch(showError);
}
