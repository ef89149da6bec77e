import type { ReactNode } from 'react';
import type { ServerView } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { EmptyState } from '@/components/EmptyState';
import { obstacleOf } from '@/state/servers/obstacle';
import { isLive, isUnderWay } from '@/state/servers/phases';
import { isUsable } from '@/state/servers/servers';
import { ConfigurationStatus } from './ConfigurationStatus';
import { ConnectSteps } from './ConnectSteps';
import { Definition } from './Definition';
import { Doctor } from './Doctor';
import { FailurePanel } from './FailurePanel';
import { FolderStart } from './FolderStart';
import { HandshakeMessages } from './HandshakeMessages';
import { Lists } from './Lists';
import { ObstaclePanel } from './ObstaclePanel';
import styles from './overview.module.css';
import { PhaseTimeline } from './PhaseTimeline';
import { ReconnectionPanel } from './ReconnectionPanel';
import { ServerFacts } from './ServerFacts';
import { SessionVariables } from './SessionVariables';
import { StartOutput } from './StartOutput';
import { Tried } from './Tried';
import { OVERVIEW } from './texts';
import { VerdictPanel } from './VerdictPanel';

interface OverviewTabProps {
  server: ServerView;
  /** The changes of the server's lists since they were stored. */
  changes?: ReactNode;
}

/** The course of a connection or its failure, and what the two sides agreed on. */
export default function OverviewTab({ server, changes }: OverviewTabProps) {
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
      {changes}
      {reconnection && <ReconnectionPanel reconnection={reconnection} />}
      {status.failure && obstacle === null && (
        <FailurePanel server={server} report={status.failure} comesBack={reconnection !== null} />
      )}
      <Doctor server={server} />
      <SessionVariables server={server} />
      {status.phase === 'disconnected' && obstacle === null && !isUnusable && (
        <NotConnected server={server} />
      )}
      {status.timeline.length > 0 && <PhaseTimeline server={server} />}
      <ConnectSteps server={server} />
      {status.output.length > 0 && <StartOutput lines={status.output} />}
      {handshake && !isUnderWay(status.phase) && (
        <>
          <ServerFacts server={server} handshake={handshake} />
          <Lists server={server.id} />
        </>
      )}
      {handshake && !isUnderWay(status.phase) && <HandshakeMessages handshake={handshake} />}
      <Definition server={server} />
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
