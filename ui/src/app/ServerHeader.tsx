import { useBackend } from '@/backend/backend';
import type { ConnectionStatus, ServerView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { classes } from '@/components/classes';
import { isUnderWay, phaseWords, StatusGlyph } from '@/components/status-glyph';
import { showError } from '@/components/toast';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import styles from './app.module.css';

/** Which server this is, how it stands, and the one thing to do about that. */
export function ServerHeader({ server }: { server: ServerView }) {
  const { status } = server;
  const facts = factsOf(server);
  return (
    <header className={styles.header}>
      <h1 className={styles.name}>{server.name}</h1>
      <span className={styles.status}>
        <StatusGlyph phase={status.phase} failure={status.failure} />
        <span role="status" className={styles.phase}>
          {statusWords(status)}
        </span>
        {isUnderWay(status.phase) && <Elapsed status={status} />}
      </span>
      {facts && <span className={classes(styles.facts, 'mono')}>{facts}</span>}
      <span className={styles.space} />
      <ConnectButton server={server} />
    </header>
  );
}

function statusWords({ phase, failure }: ConnectionStatus): string {
  return failure ? `${phaseWords(phase)}: ${failure.reason}` : phaseWords(phase);
}

function factsOf({ status, transport }: ServerView): string {
  const { handshake } = status;
  const facts = [
    handshake?.protocol_version,
    transport === 'web_socket' ? 'websocket' : transport,
    handshake && handshake.round_trip !== null && formatDuration(handshake.round_trip),
  ];
  return facts.filter(Boolean).join(' · ');
}

function Elapsed({ status }: { status: ConnectionStatus }) {
  const elapsed = useElapsed(status.timeline[0]?.started ?? status.since, true);
  // Nothing flickers by for a connection that is there at once.
  return elapsed < 300 ? null : <span className={styles.elapsed}>{formatDuration(elapsed)}</span>;
}

function ConnectButton({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { phase } = server.status;
  if (phase === 'disconnected' || phase === 'failed') {
    const usable = !server.problems.some((problem) => problem.severity === 'error');
    return (
      <Button
        variant={phase === 'disconnected' ? 'primary' : 'plain'}
        isDisabled={!usable}
        onPress={() => void backend.connect(server.id).catch(showError)}
      >
        Connect
      </Button>
    );
  }
  return (
    <Button
      isDisabled={phase === 'cleaning_up'}
      onPress={() => void backend.disconnect(server.id).catch(showError)}
    >
      Disconnect
    </Button>
  );
}
