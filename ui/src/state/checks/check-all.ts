import type { Backend } from '@/backend/backend';
import type { ServerId, ServerView } from '@/backend/bindings';
import { showError } from '@/state/notices';
import { startServer } from '@/state/servers/connecting';
import { runRequests, selectionOf, testsOf, useRequestFiles } from '@/state/tests/request-files';
import { useChecks } from './checks';

/** Checks of both generations of the protocol, in which no tool is called. */
const HARMLESS = { era: null, tool: null, arguments: null, suite: false, allowedHost: null };

/** Checks a server: the way to it, then conformance and its tests. Load is no harmless check. */
export function checkAll(backend: Backend, server: ServerView): void {
  startServer(server.id, async () => {
    const { failure, state } = await backend.runDoctor(server.id);
    // There is nothing more to learn of a server that is not reached.
    if (failure !== null || state === 'cancelled') return;
    await backend.startConformance(server.id, HARMLESS);
    const tests = testsOf(useRequestFiles.getState().view, server);
    if (tests.length > 0)
      await runRequests(backend, { selection: selectionOf(tests), update: false });
  });
}

/** Stops whatever checks a server just now. */
export function stopChecks(backend: Backend, server: ServerId): void {
  const { doctor, conformance, load } = useChecks.getState();
  const { run } = useRequestFiles.getState();
  const stopped = [
    doctor[server]?.state === 'running' && backend.stopDoctor(server),
    conformance[server]?.isRunning && backend.stopConformance(server),
    load[server]?.isRunning && backend.stopLoad(server),
    run?.isRunning && backend.stopRequestRun(run.id),
  ];
  void Promise.all(stopped).catch(showError);
}
