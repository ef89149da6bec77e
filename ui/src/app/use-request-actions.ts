import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import { useAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { isLive } from '@/state/phases';
import { loadRequests, runRequests, useRequestFiles } from '@/state/request-files';
import { useServer } from '@/state/servers';
import { wroteStubs } from './texts';

const ALL = { paths: [], tag: null, server: null };

/** Offers the actions on the requests of the project. */
export function useRequestActions(): void {
  const backend = useBackend();
  // The sidebar counts them. Read once the window is drawn.
  useEffect(() => {
    const timer = setTimeout(() => void loadRequests(backend), 500);
    return () => clearTimeout(timer);
  }, [backend]);
  const count = useRequestFiles((state) => state.view?.requests.length ?? 0);
  const isRunning = useRequestFiles((state) => state.run?.isRunning ?? false);
  const server = useServer(useNavigation((state) => state.server));
  const runAll = () => {
    useNavigation.getState().openRequests();
    void runRequests(backend, { selection: ALL, update: false });
  };
  useAction('requests.run-all', runAll, { when: count > 0 && !isRunning });
  const writeStubs = async (id: string) => {
    try {
      const paths = await backend.createRequestStubs(id);
      showNote(wroteStubs(paths.length));
      const [first] = paths;
      if (first === undefined) return;
      await loadRequests(backend);
      useRequestFiles.getState().select(first);
      useNavigation.getState().openRequests();
    } catch (reason) {
      showError(reason);
    }
  };
  useAction('requests.stubs', () => server && void writeStubs(server.id), {
    when: server !== undefined && isLive(server.status.phase),
  });
}
