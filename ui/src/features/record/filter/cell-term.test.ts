import { describe, expect, it } from 'vitest';
import type { ExchangeRow } from '@/backend/bindings';
import { separatorText } from '../messages/separator';
import { matchText } from '../texts';
import { termOf } from './cell-term';

const row = (given: Partial<ExchangeRow>) =>
  ({
    id: 7,
    kind: 'request',
    direction: 'sent',
    server: 'My server',
    project: '/home/me/acme',
    projectLabel: null,
    method: 'tools/call',
    target: 'echo',
    outcome: 'ok',
    code: null,
    duration: 1.5,
    size: 300,
    parent: null,
    foldedBefore: [],
    foldedRows: 0,
    bookmark: null,
    ...given,
  }) as unknown as ExchangeRow;

describe('the term of a cell', () => {
  it('selects rows with the same value', () => {
    expect(termOf(row({}), 'number')).toBe('id:7');
    expect(termOf(row({}), 'direction')).toBe('from:client');
    expect(termOf(row({}), 'server')).toBe('server:"My server"');
    expect(termOf(row({ projectLabel: 'acme' }), 'server')).toBe('server:"My server · acme"');
    expect(termOf(row({}), 'method')).toBe('method:tools/call');
    expect(termOf(row({}), 'target')).toBe('tool:echo');
    expect(termOf(row({}), 'status')).toBe('status:ok');
    expect(termOf(row({}), 'duration')).toBe('dur:>=1500us');
    expect(termOf(row({}), 'size')).toBe('size:>=300b');
    expect(termOf(row({}), 'waterfall')).toBeNull();
  });

  it('is the level of a log message, the code of an error, and otherwise the text', () => {
    const log = { kind: 'log', method: 'notifications/message', target: 'error: x' } as const;
    expect(termOf(row(log), 'target')).toBe('level:error');
    expect(termOf(row({ outcome: 'error', code: -32602 }), 'status')).toBe('status:-32602');
    expect(termOf(row({ method: 'resources/read', target: 'a "b" c' }), 'target')).toBe('"a"');
    expect(termOf(row({ outcome: 'none' }), 'status')).toBeNull();
    expect(termOf(row({ target: '' }), 'target')).toBeNull();
  });
});

describe('texts of the traffic', () => {
  const phases = (...methods: string[]) =>
    row({
      foldedBefore: methods.map((method, id) => ({
        id,
        server: 'Demo',
        projectLabel: null,
        method,
        target: '',
      })),
    });

  it('separate rows where a connection begins or ends, and not at each call', () => {
    expect(separatorText(phases('ready', 'executing'))).toBeNull();
    expect(separatorText(phases())).toBeNull();
    expect(separatorText(phases('connecting', 'listing_tools'))).toBe(
      'Demo: connecting → listing tools',
    );
    expect(separatorText(phases('ready', 'doctor', 'doctor'))).toBe('Demo: ready → doctor');
  });

  it('count what matches among all', () => {
    expect(matchText(12, 10_035, true)).toBe('12 of 10,035');
    expect(matchText(12, 10_035, false)).toBe('12 so far of 10,035');
  });
});
