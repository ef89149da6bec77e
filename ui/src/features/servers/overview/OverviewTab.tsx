import type { ServerView } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { EmptyState } from '@/components/EmptyState';
import { obstacleOf } from '@/state/servers/obstacle';
import { isLive } from '@/state/servers/phases';
import { isUsable } from '@/state/servers/servers';
import { ConfigurationStatus } from './ConfigurationStatus';
import { ConnectionDetails } from './ConnectionDetails';
import { FailurePanel } from './FailurePanel';
import { FolderStart } from './FolderStart';
import { Instructions } from './Instructions';
import { ObstaclePanel } from './ObstaclePanel';
import styles from './overview.module.css';
import { ReconnectionPanel } from './ReconnectionPanel';
import { SessionVariables } from './SessionVariables';
import { Tried } from './Tried';
import { OVERVIEW } from './texts';
import { VerdictPanel } from './VerdictPanel';

/** Whether a server works, what it says of itself, and what to do where it does not. */
export default function OverviewTab({ server }: { server: ServerView }) {
  const { status } = server;
  const { handshake, reconnection } = status;
  const isUnusable = !isUsable(server);
  // An entry that is wrong is told also while the connection from before is up.
  const obstacle = isUnusable ? server.obstacle : obstacleOf(server);
  return (
    <div className={styles.overview}>
      <ConfigurationStatus server={server} />
      <Tried server={server} />
      <FolderStart server={server} />
      {obstacle && server.blocked?.type !== 'waiting' && (
        <ObstaclePanel server={server} obstacle={obstacle} />
      )}
      {handshake && isLive(status.phase) && <VerdictPanel server={server} />}
      {reconnection && <ReconnectionPanel reconnection={reconnection} />}
      {status.failure && obstacle === null && (
        <FailurePanel server={server} report={status.failure} comesBack={reconnection !== null} />
      )}
      <SessionVariables server={server} />
      {status.phase === 'disconnected' && obstacle === null && !isUnusable && (
        <NotConnected server={server} />
      )}
      {handshake?.instructions && isLive(status.phase) && (
        <Instructions text={handshake.instructions} />
      )}
      <ConnectionDetails server={server} />
    </div>
  );
}

function NotConnected({ server }: { server: ServerView }) {
  return (
    <EmptyState title={server.disabled ? OVERVIEW.disabled : OVERVIEW.notConnected}>
      <p>
        {server.disabled
          ? OVERVIEW.disabledMeaning
          : server.transport === 'stdio'
            ? OVERVIEW.command
            : OVERVIEW.address}
      </p>
      <CommandLine className="block mt-3 break-anywhere selectable text-1" text={server.summary} />
    </EmptyState>
  );
}
