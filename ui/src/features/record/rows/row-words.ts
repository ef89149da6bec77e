import type { ExchangeRow, FoldedPhase } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { COLUMNS, STATUS } from '../texts';

/**
 * The status of a row; nothing for what has no answer to wait for. It is `crashed` where the program
 * ended in that request.
 */
export function statusOf(row: ExchangeRow, isCrashed = false): StatusLabel | null {
  switch (row.outcome) {
    case 'pending':
      // A request of the server's waits for the user, not for the server.
      return row.direction === 'received'
        ? { glyph: '▲', label: STATUS.waiting, tone: 'warn' }
        : { glyph: '◐', label: STATUS.pending, tone: 'busy' };
    case 'ok':
      return {
        glyph: '✓',
        label: isHttp(row) && row.code ? String(row.code) : STATUS.ok,
        tone: 'ok',
      };
    case 'error':
      return errorStatus(row);
    case 'cancelled':
      return { glyph: '⊘', label: STATUS.cancelled, tone: 'idle' };
    case 'unanswered':
      return { glyph: '✕', label: isCrashed ? STATUS.crashed : STATUS.unanswered, tone: 'bad' };
    case 'none':
      return null;
  }
}

function errorStatus(row: ExchangeRow): StatusLabel {
  // Servers of versions before 2026 do not know it, and are asked in another way then.
  if (row.method === 'server/discover' && row.code === -32601) {
    return { glyph: '–', label: STATUS.unsupported, tone: 'idle' };
  }
  const label = row.code === null || row.code === undefined ? STATUS.error : String(row.code);
  // A refusal by HTTP is often a step of a sign-in, not the end of anything.
  const isRefusal = isHttp(row) && (row.code ?? 0) >= 400 && (row.code ?? 0) < 500;
  return isRefusal ? { glyph: '▲', label, tone: 'warn' } : { glyph: '✕', label, tone: 'bad' };
}

function isHttp(row: ExchangeRow): boolean {
  return row.kind === 'http' || row.kind === 'oauth';
}

/** The look of a row's bar. */
export function barLook(row: ExchangeRow): string {
  if (row.outcome === 'pending' || row.outcome === 'none') return row.outcome;
  return statusOf(row)?.tone ?? 'none';
}

/** Returns the duration so far. Waiting for the user is not the server's time. */
export function durationOf(row: ExchangeRow, now: number): string {
  if (row.outcome === 'pending') {
    return row.direction === 'sent' ? formatDuration(now - (row.at ?? now)) : COLUMNS.none;
  }
  if (row.outcome === 'none') return '';
  return row.duration === null || row.duration === undefined
    ? COLUMNS.none
    : formatDuration(row.duration);
}

/**
 * The server of a row; with its project where another project on record has a server of that
 * name.
 */
export function serverName({
  server,
  projectLabel: project,
}: Pick<ExchangeRow | FoldedPhase, 'server' | 'projectLabel'>): string {
  return visibleText(project === null ? server : `${server} · ${project}`);
}
