import type { ServerView } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import type { NoteTone } from './notices';
import { isLive } from './servers/phases';

/** Something that happened to a server. */
export interface News {
  server: string;
  name: string;
  kind: 'failed' | 'lost' | 'returned';
  reason: string;
}

/** Tells what became of servers between two states of the window. */
export function newsBetween(before: readonly ServerView[], after: readonly ServerView[]): News[] {
  const known = new Map(before.map((server) => [server.id, server.status]));
  return after.flatMap(({ id, name, status }): News[] => {
    const old = known.get(id);
    if (!old || old === status) return [];
    const reason = visibleText(status.failure?.reason ?? '');
    const news = (kind: News['kind']) => [{ server: id, name: visibleText(name), kind, reason }];
    if (status.reconnection && !old.reconnection) return news('lost');
    // Tries that fail again and again are told once.
    if (status.phase === 'failed' && old.phase !== 'failed' && !old.reconnection)
      return news('failed');
    if (isLive(status.phase) && old.reconnection && !status.reconnection) return news('returned');
    return [];
  });
}

/** The tone of it: good news is only what has nothing bad in it. */
export function newsTone(news: readonly News[]): NoteTone {
  return news.every(({ kind }) => kind === 'returned') ? 'done' : 'warning';
}

/** One line for all of it. */
export function newsText(news: readonly News[]): string {
  const [first] = news;
  if (!first) return '';
  if (news.length > 1) {
    const counts = (['failed', 'lost', 'returned'] as const).flatMap((kind) => {
      const { length } = news.filter((one) => one.kind === kind);
      return length === 0 ? [] : [SEVERAL[kind](formatQuantity(length, 'server'))];
    });
    return counts.join('; ');
  }
  return ONE[first.kind](first.name, first.reason);
}

const ONE = {
  failed: (name: string, reason: string) => `${name} failed${reason && `: ${reason}`}`,
  lost: (name: string) => `${name} lost its connection and is reconnecting`,
  returned: (name: string) => `${name} is connected again`,
} as const;

const SEVERAL = {
  failed: (servers: string) => `${servers} failed`,
  lost: (servers: string) => `${servers} lost the connection`,
  returned: (servers: string) => `${servers} connected again`,
} as const;
