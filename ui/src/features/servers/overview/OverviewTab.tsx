import { Suspense } from 'react';
import { useBackend } from '@/backend/backend';
import type { Reconnection, ServerView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { CommandLine } from '@/components/CommandLine';
import { EmptyState } from '@/components/EmptyState';
import { Facts, Section } from '@/components/Section';
import { useRemaining } from '@/components/use-remaining';
import { lazyComponent } from '@/lib/lazy-component';
import { visibleText } from '@/lib/visible-text';
import { askAboutFolder } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { reconnect } from '@/state/servers/connecting';
import { obstacleOf } from '@/state/servers/obstacle';
import { isLive, RECONNECTING } from '@/state/servers/phases';
import { isUsable } from '@/state/servers/servers';
import { useConfigured } from '@/state/setup/configuration';
import { useSnapshot } from '@/state/snapshot';
import { editTried } from './edit-tried';
import {
  ApprovalPanel,
  ConnectionDetails,
  FailurePanel,
  ObstaclePanel,
  VerdictPanel,
} from './later';
import styles from './overview.module.css';
import { OVERVIEW, RECONNECTION, SERVER, SESSION_VARIABLES, TRIED } from './texts';

/** Tells whether a server works, what it says of itself, and what to do where it does not. */
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
        <Suspense>
          <ObstaclePanel server={server} obstacle={obstacle} />
        </Suspense>
      )}
      {handshake && isLive(status.phase) && (
        <Suspense>
          <VerdictPanel server={server} />
        </Suspense>
      )}
      {reconnection && <ReconnectionPanel reconnection={reconnection} />}
      {status.failure && obstacle === null && (
        <Suspense>
          <FailurePanel server={server} report={status.failure} comesBack={reconnection !== null} />
        </Suspense>
      )}
      <SessionVariables server={server} />
      {status.phase === 'disconnected' && obstacle === null && !isUnusable && (
        <NotConnected server={server} />
      )}
      {handshake?.instructions && isLive(status.phase) && (
        <Instructions text={handshake.instructions} />
      )}
      <Suspense>
        <ConnectionDetails server={server} />
      </Suspense>
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

/** Says that a server is in no file, with the ways to save it and to forget it. */
function Tried({ server }: { server: ServerView }) {
  const backend = useBackend();
  if (server.origin !== 'tried') return null;
  return (
    <section aria-label={TRIED.title} className={styles.tried}>
      <p>{TRIED.meaning}</p>
      <Button onPress={() => void backend.deleteTried(server.id).catch(showError)}>
        {TRIED.forget}
      </Button>
      <Button variant="primary" onPress={() => editTried(backend, server.id)}>
        {TRIED.save}
      </Button>
    </section>
  );
}

/** A connection that was lost comes back by itself; the header hastens or stops that. */
function ReconnectionPanel({ reconnection }: { reconnection: Reconnection }) {
  const { attempt, nextTry, reason, waiting } = reconnection;
  const seconds = useRemaining(nextTry);
  return (
    <Section title={RECONNECTING}>
      <p className={styles.hint}>
        {RECONNECTION.lost(visibleText(reason))}{' '}
        {nextTry === null ? RECONNECTION.underWay(attempt) : RECONNECTION.begins(attempt, seconds)}
        {waiting > 0 && ` ${RECONNECTION.waiting(waiting)}`}
      </p>
    </Section>
  );
}

/** The variables that the user set for this server until the application ends. */
function SessionVariables({ server }: { server: ServerView }) {
  const backend = useBackend();
  if (server.sessionVariables.length === 0) return null;
  return (
    <Section title={SESSION_VARIABLES.title}>
      <Facts
        facts={server.sessionVariables.map((name) => [
          name,
          <span key={name}>
            ••• <span className="regular remark">{SESSION_VARIABLES.until}</span>{' '}
            <Button
              aria-label={SESSION_VARIABLES.removeLabel(name)}
              onPress={() =>
                void backend.updateSessionVariable(server.id, name, null).catch(showError)
              }
            >
              {SESSION_VARIABLES.remove}
            </Button>
          </span>,
        ])}
      />
    </Section>
  );
}

// What draws Markdown comes after the window.
const MarkdownText = lazyComponent(() => import('@/widgets/result/MarkdownText'), 'default');

/** Shows what a server tells models of itself, in Markdown. */
function Instructions({ text }: { text: string }) {
  return (
    <Section title={SERVER.instructions}>
      <div className={styles.instructions}>
        <Suspense>
          <MarkdownText text={text} />
        </Suspense>
      </div>
    </Section>
  );
}

/**
 * Obstacles that the configuration knows before any connection: approval, an older entry.
 */
function ConfigurationStatus({ server }: { server: ServerView }) {
  const backend = useBackend();
  const outdated = useConfigured(server)?.outdated === true;
  const { blocked } = server;
  return (
    <>
      {outdated && (
        <Banner
          tone="warn"
          actions={
            <Button onPress={() => reconnect(backend, server.id)}>{OVERVIEW.reconnect}</Button>
          }
        >
          {OVERVIEW.outdated}
        </Banner>
      )}
      {blocked?.type === 'waiting' && (
        <Suspense>
          <ApprovalPanel server={server} />
        </Suspense>
      )}
    </>
  );
}

/** The directory in which the server's program was started, when that is not the expected one. */
function FolderStart({ server }: { server: ServerView }) {
  const backend = useBackend();
  const folder = useSnapshot((state) => state.folder);

  const wasOutside = server.start?.last === 'emptyDirectory';
  if (!wasOutside || server.status.phase === 'disconnected') return null;
  return folder.answer === 'trusted' ? (
    <Banner
      tone="warn"
      actions={<Button onPress={() => reconnect(backend, server.id)}>{OVERVIEW.reconnect}</Button>}
    >
      {OVERVIEW.startedOutsideThen}
    </Banner>
  ) : (
    <Banner
      tone="warn"
      actions={<Button onPress={() => askAboutFolder(server.id)}>{OVERVIEW.trustFolder}</Button>}
    >
      {OVERVIEW.startedOutside}
    </Banner>
  );
}
