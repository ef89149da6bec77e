import type { ExchangeRow } from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import { COLUMNS } from '../texts';

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
