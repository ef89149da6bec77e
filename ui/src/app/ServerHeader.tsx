import { useId } from 'react';
import { useBackend } from '@/backend/backend';
import type { ConnectionStatus, Reconnection, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Tooltip } from '@/components/Tooltip';
import { useElapsed } from '@/components/use-elapsed';
import { useRemaining } from '@/components/use-remaining';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { showError } from '@/state/notices';
import { connect } from '@/state/servers/connecting';
import { conditionText, isUnset } from '@/state/servers/obstacle';
import { isUnderWay } from '@/state/servers/phases';
import { isHeldBack, isUsable } from '@/state/servers/servers';
import { ConditionGlyph } from '@/widgets/ConditionGlyph';
import styles from './app.module.css';
import { focusMain } from './focus';
import { HEADER } from './texts';

/** The name and the status of a server, and the one action that suits it. */
export function ServerHeader({ server }: { server: ServerView }) {
  const { status } = server;
  const facts = factsOf(server);
  const statusId = useId();
  return (
    <header className={styles.header}>
      <h1 className={styles.name}>{visibleText(server.name)}</h1>
      <span className={styles.status}>
        <ConditionGlyph server={server} />
        <span role="status" id={statusId} className="truncate">
          {conditionText(server)}
        </span>
        {isUnderWay(status.phase) && <Elapsed status={status} />}
        {status.reconnection && <NextTry reconnection={status.reconnection} />}
      </span>
      {facts && <span className={classes(styles.facts, 'mono')}>{facts}</span>}
      <span className="flex-1" />
      {isUsable(server) && !isHeldBack(server) && !isUnset(server) && (
        <Tooltip text={HEADER.doctorMeaning}>
          <Button
            className={classes(styles.doctor, status.reconnection !== null && styles.crowded)}
            onPress={() => runAction('server.doctor')}
          >
            {HEADER.doctor}
          </Button>
        </Tooltip>
      )}
      <ConnectButton server={server} reasonId={statusId} />
    </header>
  );
}

function factsOf({ status, transport }: ServerView): string {
  const { handshake, health } = status;
  const roundTrip = health?.roundTrip ?? handshake?.roundTrip ?? null;
  const facts = [
    handshake?.protocolVersion,
    transport === 'webSocket' ? 'websocket' : transport,
    handshake && roundTrip !== null && formatDuration(roundTrip),
  ];
  return facts.filter(Boolean).join(' · ');
}

function Elapsed({ status }: { status: ConnectionStatus }) {
  const elapsed = useElapsed(status.timeline[0]?.started ?? status.since, true);
  // Nothing flickers by for a connection that is there at once.
  return elapsed < 300 ? null : (
    <span className="flex-none nowrap figures faint">{formatDuration(elapsed)}</span>
  );
}

/** The time until a connection that was lost is tried again. */
function NextTry({ reconnection: { attempt, nextTry } }: { reconnection: Reconnection }) {
  const seconds = useRemaining(nextTry);
  return <span className="flex-none nowrap figures faint">{HEADER.nextTry(attempt, seconds)}</span>;
}

function ConnectButton({ server, reasonId }: { server: ServerView; reasonId: string }) {
  const backend = useBackend();
  const { phase, reconnection } = server.status;
  // Each button goes with what it does; what follows has the focus then.
  const disconnect = () => {
    backend.disconnect(server.id).catch(showError);
    focusMain();
  };
  const begin = () => {
    connect(backend, server.id);
    focusMain();
  };
  if (reconnection && reconnection.nextTry !== null) {
    return (
      <>
        <Button onPress={disconnect}>{HEADER.stop}</Button>
        <Button variant="primary" onPress={begin}>
          {HEADER.reconnect}
        </Button>
      </>
    );
  }
  if (phase === 'disconnected' || phase === 'failed') {
    const isHeld = !isUsable(server) || isHeldBack(server) || isUnset(server);
    return (
      <Button
        variant={phase === 'disconnected' ? 'primary' : 'plain'}
        isDisabled={isHeld}
        aria-describedby={isHeld ? reasonId : undefined}
        onPress={begin}
      >
        {HEADER.connect}
      </Button>
    );
  }
  return (
    <Button isDisabled={phase === 'cleaningUp'} onPress={disconnect}>
      {HEADER.disconnect}
    </Button>
  );
}
