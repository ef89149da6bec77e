import { memo } from 'react';
import type { ServerId, ServerView } from '@/backend/bindings';
import { Highlight } from '@/components/Highlight';
import { visibleText } from '@/lib/visible-text';
import { useQuestionCount } from '@/state/calls/questions';
import { conditionText, obstacleOf } from '@/state/servers/obstacle';
import { phaseLabel } from '@/state/servers/phases';
import { useServer } from '@/state/servers/servers';
import { ConditionGlyph } from '@/widgets/ConditionGlyph';
import styles from './sidebar.module.css';
import { SIDEBAR } from './texts';

interface Props {
  id: ServerId;
  /** The search that the rows match. */
  search: string;
}

/** A server: its state where that says something, else only for those who do not see its glyph. */
export const ServerRow = memo(function ServerRow({ id, search }: Props) {
  const server = useServer(id);
  const waiting = useQuestionCount(id);
  if (!server) return null;
  return (
    <>
      <ConditionGlyph server={server} />
      <bdi className={styles.name} title={rowTitle(server)}>
        <Highlight text={visibleText(server.name)} search={search} />
      </bdi>
      {server.also.length > 0 && (
        <span className={styles.also} title={SIDEBAR.also(placesOf(server))}>
          <span aria-hidden="true">+{server.also.length}</span>
          <span className="visually-hidden">{SIDEBAR.also(placesOf(server))}</span>
        </span>
      )}
      {waiting > 0 ? (
        <em className={styles.waiting}>{SIDEBAR.questions(waiting)}</em>
      ) : isUneventful(server) ? (
        <span className="visually-hidden">{rowText(server)}</span>
      ) : (
        <em>{rowText(server)}</em>
      )}
    </>
  );
});

function placesOf({ also }: ServerView): string[] {
  return also.map((place) => `${place.clientTitle} · ${place.scopeTitle}`);
}

/** Tells whether a server merely is not connected, as most are. */
function isUneventful(server: ServerView): boolean {
  const { phase, reconnection } = server.status;
  return phase === 'disconnected' && !reconnection && !server.disabled && !obstacleOf(server);
}

/** Returns what the row has no room for: the whole name and state, and the response time. */
function rowTitle(server: ServerView): string {
  const { failure, handshake, health } = server.status;
  const isHeldUp = obstacleOf(server) !== null || failure !== null;
  const roundTrip = isHeldUp ? null : (health?.roundTrip ?? handshake?.roundTrip ?? null);
  return [
    visibleText(server.name),
    conditionText(server),
    roundTrip === null ? '' : SIDEBAR.latency(roundTrip),
  ]
    .filter(Boolean)
    .join('\n');
}

function rowText(server: ServerView): string {
  const { phase, failure, reconnection } = server.status;
  const obstacle = obstacleOf(server);
  if (obstacle) return visibleText(obstacle.reason);
  if (failure?.failure.type === 'signInRequired') return SIDEBAR.signIn;
  if (reconnection) return SIDEBAR.reconnecting;
  if (server.disabled && phase === 'disconnected') return SIDEBAR.disabled;
  return phaseLabel(phase);
}
