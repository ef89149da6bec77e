import type { ServerId } from '@/backend/bindings';
import { isAtRest } from './obstacle';
import { isLive } from './phases';
import { useServers } from './servers';

/** Does something once a server has a connection other than the one it has; not where that fails. */
export function onceReconnected(id: ServerId, run: () => void): void {
  const statusOf = () => useServers.getState().servers.find((server) => server.id === id);
  const before = statusOf()?.status.connection;
  const stop = useServers.subscribe(() => {
    const server = statusOf();
    if (server && server.status.connection === before) return;
    if (server && isLive(server.status.phase)) {
      stop();
      run();
    } else if (!server || isAtRest(server)) stop();
  });
}
