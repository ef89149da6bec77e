import { MoreHorizontal, RotateCw } from 'lucide-react';
import { useId } from 'react';
import { useBackend } from '@/backend/backend';
import type { ConnectionStatus, Reconnection, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { classes } from '@/components/classes';
import { Kbd } from '@/components/Kbd';
import { Menu } from '@/components/Menu';
import { useElapsed } from '@/components/use-elapsed';
import { useRemaining } from '@/components/use-remaining';
import { useServerMenu } from '@/features/servers/list/use-server-menu';
import { AccountMenu } from '@/features/sign-in/AccountMenu';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { type ActionId, runAction, useHandlers } from '@/state/actions';
import { goToQuestion, useQuestionCount, useQuestions } from '@/state/calls/questions';
import { showError } from '@/state/notices';
import { connect } from '@/state/servers/connecting';
import { canBeStarted, conditionText } from '@/state/servers/obstacle';
import { isUnderWay } from '@/state/servers/phases';
import { ConditionGlyph } from '@/widgets/ConditionGlyph';
import styles from './app.module.css';
import { focusMain } from './focus';
import { HEADER } from './texts';

/** Actions that the header has as buttons, or in the menu of the account. */
const SHOWN: readonly ActionId[] = [
  'server.connect',
  'server.restart',
  'server.disconnect',
  'auth.sign-in',
  'auth.cancel',
  'auth.sign-out',
];

/** The name and the status of a server, its account, and what is done with its connection. */
export function ServerHeader({ server }: { server: ServerView }) {
  const { status } = server;
  const statusId = useId();
  const menu = useServerMenu(SHOWN);
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
      <HeaderFacts server={server} />
      <Questions server={server} />
      <span className="flex-1" />
      <AccountMenu server={server} />
      <ConnectButton server={server} reasonId={statusId} />
      <Menu
        label={HEADER.more}
        trigger={<IconButton icon={MoreHorizontal} label={HEADER.more} variant="plain" />}
        groups={menu}
      />
    </header>
  );
}

/** The protocol, the transport and the heartbeat: how long the last answer took. */
function HeaderFacts({ server: { status, transport } }: { server: ServerView }) {
  const { handshake, health } = status;
  const roundTrip = handshake && (health?.roundTrip ?? handshake.roundTrip);
  const facts = [
    handshake?.protocolVersion,
    transport === 'webSocket' ? 'websocket' : transport,
  ].filter(Boolean);
  const missed = health?.missed ?? 0;
  if (facts.length === 0) return null;
  return (
    <p className={classes(styles.facts, 'mono')}>
      {facts.join(' · ')}
      {roundTrip !== null && roundTrip !== undefined && (
        <span title={HEADER.heartbeat(missed)} data-missed={missed > 0 || undefined}>
          {' · '}
          <span aria-hidden="true">♥ </span>
          <span className="visually-hidden">{HEADER.heartbeat(missed)} </span>
          {formatDuration(roundTrip)}
        </span>
      )}
    </p>
  );
}

/** Says that the server asks something, and leads to it. */
function Questions({ server }: { server: ServerView }) {
  const newest = useQuestions(({ open }) => open.findLast((asked) => asked.server === server.id));
  const count = useQuestionCount(server.id);
  if (!newest) return null;
  return (
    <Button variant="quiet" className={styles.asks} onPress={() => goToQuestion(newest)}>
      <span aria-hidden="true">▲</span>
      {HEADER.questions(count)}
    </Button>
  );
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
  // A call that is shown has the key.
  const hasKey = useHandlers(({ handlers }) => !handlers['call.run']?.length);
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
    const isHeld = !canBeStarted(server);
    return (
      <Button
        variant={phase === 'disconnected' ? 'primary' : 'plain'}
        isDisabled={isHeld}
        aria-describedby={isHeld ? reasonId : undefined}
        aria-label={HEADER.connect}
        onPress={begin}
      >
        {HEADER.connect} {hasKey && !isHeld && <Kbd shortcut="mod+enter" />}
      </Button>
    );
  }
  return (
    <>
      <Button isDisabled={phase === 'cleaningUp'} onPress={() => runAction('server.restart')}>
        <RotateCw size={13} />
        {HEADER.restart}
      </Button>
      <Button isDisabled={phase === 'cleaningUp'} onPress={disconnect}>
        {HEADER.disconnect}
      </Button>
    </>
  );
}
