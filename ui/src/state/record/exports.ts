import type { ConnectionId, ExchangeId, ServerId, TrafficQuery } from '@/backend/bindings';

/** Rows that can be exported from where the user is. */
export interface ExportSource {
  /** The selected row, and its connection. */
  row: { id: ExchangeId; connection: ConnectionId; server: string } | null;
  /** The rows that are shown; absent where those are all. */
  shown: TrafficQuery | null;
  server: { id: ServerId; name: string } | null;
}

/** A kind of rows to export. */
export type ExportChoice = 'row' | 'shown' | 'connection' | 'server' | 'everything';

let runs = 0;

/** Returns a number for an export, by which it is stopped. */
export function nextRun(): number {
  runs += 1;
  return runs;
}
