import { memo } from 'react';
import type { ServerId, ServerView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { Highlight } from '@/components/Highlight';
import { formatTokens } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useList } from '@/state/calls/lists';
import { useQuestionCount } from '@/state/calls/questions';
import { badgesOf } from '@/state/clients/badges';
import { conditionText, conditionTone, conditionWord, obstacleOf } from '@/state/servers/obstacle';
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
      {waiting > 0 ? <Glyph glyph="▲" tone="warn" /> : <ConditionGlyph server={server} />}
      <bdi className={styles.name} title={rowTitle(server)}>
        <Highlight text={visibleText(server.name)} search={search} />
      </bdi>
      <Badges server={server} />
      {waiting > 0 ? (
        <em className={styles.waiting}>{SIDEBAR.questions(waiting)}</em>
      ) : isUneventful(server) ? (
        <>
          <span className="visually-hidden">{conditionWord(server)}</span>
          <Tokens id={id} />
        </>
      ) : (
        <em className={TONES[conditionTone(server)]}>{conditionWord(server)}</em>
      )}
    </>
  );
});

/** The colours of the words of a state, as its glyph has them. */
const TONES = { bad: styles.bad, warn: styles.waiting, idle: undefined };

/** Badges that are shown; the others are counted. */
const MAX_BADGES = 3;

/** The clients that have the server. */
function Badges({ server }: { server: ServerView }) {
  const badges = badgesOf(server);
  if (badges.length === 0) return null;
  const places = badges.map(({ title, scopes }) => [title, ...scopes].join(' · '));
  const rest = badges.length - MAX_BADGES;
  return (
    <span className={styles.badges} title={places.join('\n')}>
      <span className="visually-hidden">{SIDEBAR.inClients(badges.map(({ title }) => title))}</span>
      {badges.slice(0, MAX_BADGES).map(({ badge }) => (
        <span key={badge} aria-hidden="true">
          {badge}
        </span>
      ))}
      {rest > 0 && <span aria-hidden="true">{SIDEBAR.moreClients(rest)}</span>}
    </span>
  );
}

/** The tokens of the tools that the server listed last. */
function Tokens({ id }: { id: ServerId }) {
  const tokens = useList(id, 'tools')?.tokens ?? 0;
  return tokens > 0 && <em title={SIDEBAR.tokensMeaning}>{formatTokens(tokens)}</em>;
}

/** Tells whether a server is connected, or merely is not, as most are: its glyph says it all. */
function isUneventful(server: ServerView): boolean {
  const { phase, reconnection } = server.status;
  if (phase === 'ready') return !reconnection;
  return phase === 'disconnected' && !reconnection && !server.disabled && !obstacleOf(server);
}

/** Returns what the row has no room for: the whole name and state, and the response time. */
function rowTitle(server: ServerView): string {
  const { failure, handshake, health } = server.status;
  const isHeldUp = obstacleOf(server) !== null || failure !== null;
  const roundTrip = isHeldUp ? null : (health?.roundTrip ?? handshake?.roundTrip ?? null);
  return [
    visibleText(server.name),
    server.target && `${server.clientTitle} · ${server.scopeTitle}`,
    server.path,
    conditionText(server),
    roundTrip === null ? '' : SIDEBAR.latency(roundTrip),
  ]
    .filter(Boolean)
    .join('\n');
}
