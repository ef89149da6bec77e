import { describe, expect, it } from 'vitest';
import type { ExchangeRow } from '@/backend/bindings';
import { KINDS, toggleKind } from '../filter/kinds';
import { statusOf } from './row-words';

function row(given: Partial<ExchangeRow>): ExchangeRow {
  return { kind: 'request', direction: 'sent', outcome: 'ok', code: null, ...given } as ExchangeRow;
}

describe('the status of a row', () => {
  it.each<[string, Partial<ExchangeRow>, string]>([
    ['an answer', {}, '✓ ok ok'],
    ['a request under way', { outcome: 'pending' }, '◐ pending busy'],
    ['a question to the user', { outcome: 'pending', direction: 'received' }, '▲ waiting warn'],
    ['a JSON-RPC error', { outcome: 'error', code: -32602 }, '✕ -32602 bad'],
    [
      'a way to begin that an earlier version lacks',
      { method: 'server/discover', outcome: 'error', code: -32601 },
      '– not supported idle',
    ],
    ['a tool that failed', { outcome: 'error' }, '✕ error bad'],
    ['an HTTP answer', { kind: 'http', code: 202 }, '✓ 202 ok'],
    ['an HTTP refusal', { kind: 'oauth', outcome: 'error', code: 400 }, '▲ 400 warn'],
    ['a server that broke', { kind: 'http', outcome: 'error', code: 502 }, '✕ 502 bad'],
    ['a cancelled request', { outcome: 'cancelled' }, '⊘ cancelled idle'],
    ['a connection that ended first', { outcome: 'unanswered' }, '✕ unanswered bad'],
  ])('%s', (_, given, expected) => {
    const status = statusOf(row(given));
    expect(`${status?.glyph} ${status?.label} ${status?.tone}`).toBe(expected);
  });

  it('is a crash where the program ended in it', () => {
    expect(statusOf(row({ outcome: 'unanswered' }), true)?.label).toBe('crashed');
  });

  it('is nothing for what is not answered', () => {
    expect(statusOf(row({ kind: 'notification', outcome: 'none' }))).toBeNull();
  });
});

describe('the chips', () => {
  it('select several kinds, in the order of the chips', () => {
    expect(toggleKind(toggleKind([], 'log'), 'request')).toEqual(['request', 'log']);
    expect(toggleKind(['request', 'log'], 'request')).toEqual(['log']);
  });

  it('select nothing in particular once all are pressed', () => {
    const kinds = KINDS.map(({ kind }) => kind);
    expect(toggleKind(kinds.slice(1), 'request')).toEqual([]);
  });
});
