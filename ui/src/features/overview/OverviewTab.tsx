import type { ServerView } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { EmptyState } from '@/components/EmptyState';
import { obstacleOf } from '@/state/obstacle';
import { isLive, isUnderWay } from '@/state/phases';
import { isUsable } from '@/state/servers';
import { ConfigurationStatus } from './ConfigurationStatus';
import { ConnectSteps } from './ConnectSteps';
import { Doctor } from './Doctor';
import { FailurePanel } from './FailurePanel';
import { FolderStart } from './FolderStart';
import { HandshakeMessages } from './HandshakeMessages';
import { Limits } from './Limits';
import { Lists } from './Lists';
import { ObstaclePanel } from './ObstaclePanel';
import styles from './overview.module.css';
import { PhaseTimeline } from './PhaseTimeline';
import { ReconnectionPanel } from './ReconnectionPanel';
import { ServerFacts } from './ServerFacts';
import { SessionVariables } from './SessionVariables';
import { StartOutput } from './StartOutput';
import { UnusableEntry } from './UnusableEntry';
import { VerdictPanel } from './VerdictPanel';

/** The course of a connection or its failure, and what the two sides agreed on. */
export default function OverviewTab({ server }: { server: ServerView }) {
  const { status } = server;
  const { handshake, reconnection } = status;
  const isUnusable = !isUsable(server);
  const obstacle = obstacleOf(server);
  return (
    <div className={styles.overview}>
      <ConfigurationStatus server={server} />
      <FolderStart server={server} />
      {isUnusable && <UnusableEntry server={server} />}
      {obstacle && !isUnusable && server.blocked?.kind !== 'waiting' && (
        <ObstaclePanel server={server} obstacle={obstacle} />
      )}
      {handshake && isLive(status.phase) && <VerdictPanel server={server} />}
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
          <HandshakeMessages handshake={handshake} />
        </>
      )}
      {!isUnusable && <Limits server={server} />}
    </div>
  );
}

function NotConnected({ server }: { server: ServerView }) {
  return (
    <EmptyState title={server.disabled ? 'Disabled in its file' : 'Not connected'}>
      <p>
        {server.disabled
          ? 'Clients leave this server out. You can still connect to it here.'
          : server.transport === 'stdio'
            ? 'Command that will run'
            : 'Address that will be asked'}
      </p>
      <CommandLine className={styles.command} text={server.summary} />
    </EmptyState>
  );
}
