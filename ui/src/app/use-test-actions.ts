import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import { useAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { isLive } from '@/state/servers/phases';
import { useServer } from '@/state/servers/servers';
import { useSnapshot } from '@/state/snapshot';
import {
  loadRequests,
  runRequests,
  useRequestFiles,
  writeStubs,
} from '@/state/tests/request-files';

const ALL = { paths: [], tag: null, server: null };

/** Offers the actions on the requests of the project. */
export function useTestActions(): void {
  const backend = useBackend();
  // The sidebar counts them. Read once the window is drawn.
  useEffect(() => {
    const timer = setTimeout(() => {
      void loadRequests(backend);
      void backend.listRestarts().then((restarts) => useSnapshot.setState({ restarts }), showError);
    }, 500);
    return () => clearTimeout(timer);
  }, [backend]);
  const count = useRequestFiles((state) => state.view?.requests.length ?? 0);
  const isRunning = useRequestFiles((state) => state.run?.isRunning ?? false);
  const server = useServer(useNavigation((state) => state.server));
  const runAll = () => {
    useNavigation.getState().openTests();
    void runRequests(backend, { selection: ALL, update: false });
  };
  useAction('tests.new', () => useDialogs.getState().show({ kind: 'new-request' }));
  useAction('tests.run-all', runAll, { when: count > 0 && !isRunning });
  const isConnected = server !== undefined && isLive(server.status.phase);
  useAction(
    'server.compare',
    () => server && useDialogs.getState().show({ kind: 'compare-server', server: server.id }),
    { when: isConnected },
  );
  useAction(
    'server.restart-on-change',
    () => server && useDialogs.getState().show({ kind: 'restart-on-change', server: server.id }),
    { when: isConnected && server.transport === 'stdio' },
  );
  useAction('tests.stubs', () => server && void writeStubs(backend, server.id), {
    when: isConnected,
  });
}
