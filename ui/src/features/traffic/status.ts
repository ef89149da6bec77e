import type { ExchangeRow } from '@/backend/bindings';

export type Tone = 'ok' | 'warn' | 'bad' | 'busy' | 'idle';

/** How an exchange stands, in a glyph, a word and a colour. */
export interface Status {
  readonly glyph: string;
  readonly words: string;
  readonly tone: Tone;
}

/** The status of a row; nothing for what has no answer to wait for. */
export function statusOf(row: ExchangeRow): Status | null {
  switch (row.outcome) {
    case 'pending':
      // A request of the server's waits for the person, not for the server.
      return row.direction === 'received'
        ? { glyph: '▲', words: 'waiting', tone: 'warn' }
        : { glyph: '◐', words: 'pending', tone: 'busy' };
    case 'ok':
      return { glyph: '✓', words: isHttp(row) && row.code ? String(row.code) : 'ok', tone: 'ok' };
    case 'error':
      return errorStatus(row);
    case 'cancelled':
      return { glyph: '⊘', words: 'cancelled', tone: 'idle' };
    case 'unanswered':
      return { glyph: '✕', words: 'no answer', tone: 'bad' };
    case 'none':
      return null;
  }
}

function errorStatus(row: ExchangeRow): Status {
  const words = row.code === null || row.code === undefined ? 'error' : String(row.code);
  // A refusal by HTTP is often a step of a sign-in, not the end of anything.
  const isRefusal = isHttp(row) && (row.code ?? 0) >= 400 && (row.code ?? 0) < 500;
  return isRefusal ? { glyph: '▲', words, tone: 'warn' } : { glyph: '✕', words, tone: 'bad' };
}

function isHttp(row: ExchangeRow): boolean {
  return row.kind === 'http' || row.kind === 'oauth';
}
