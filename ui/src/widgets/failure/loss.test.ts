import { describe, expect, it } from 'vitest';
import type { ConnectionLoss, Failure, FailureReport, Hint } from '@/backend/bindings';
import { failureTitle, lossSentence, returnOf } from './loss';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

function exited(code: number | null, signal: number | null = null): Failure {
  return {
    type: 'exited',
    commandLine: 'node server.js',
    code,
    signal,
    stderr: ["KeyError: 'DATABASE_URL'"],
    stdout: [],
    unanswered: [{ id: '4', method: 'tools/call', target: 'boom', waited: 1000 }],
  };
}

function reportOf(failure: Failure, reason = 'exited with code 1'): FailureReport {
  const hint: Hint = { text: '', action: { type: 'editServer' } };
  return { failure, reason, headline: null, trace: null, hint, mayBeElsewhere: false };
}

function lossOf(failure: Failure, rest: Partial<ConnectionLoss> = {}): ConnectionLoss {
  return {
    count: 1,
    at: NOW - 2 * MINUTE,
    connection: 3,
    back: NOW - 2 * MINUTE + 1000,
    failure: reportOf(failure),
    ...rest,
  };
}

describe('what is remembered of a connection that was lost', () => {
  it('is how, how often, when, and in which call', () => {
    expect(lossSentence(lossOf(exited(1)), NOW)).toBe('Crashed once, 2 minutes ago, in `boom`.');
    expect(lossSentence(lossOf(exited(0), { count: 3 }), NOW)).toBe(
      'Ended 3 times, the last time 2 minutes ago, in `boom`.',
    );
  });

  it('names no call where none is known, and no crash where none was', () => {
    const expired: Failure = { type: 'sessionExpired', url: 'http://localhost/mcp' };
    expect(lossSentence(lossOf(expired, { count: 2 }), NOW)).toBe(
      'Lost its connection twice, the last time 2 minutes ago.',
    );
  });

  it('shows the names of a stranger as they are', () => {
    const failure = exited(1);
    if (failure.type === 'exited' && failure.unanswered[0]) {
      failure.unanswered[0].target = 'a\u202eb';
    }
    expect(lossSentence(lossOf(failure), NOW)).not.toContain('\u202e');
  });
});

describe('the title of a request without an answer', () => {
  it('is how the program ended, or which permission is missing', () => {
    expect(failureTitle(reportOf(exited(1)))).toBe(
      'The server crashed (exit 1) before it answered',
    );
    expect(failureTitle(reportOf(exited(null, 9)))).toBe(
      'The server was ended by signal 9 before it answered',
    );
    const refused = (scopes: string[]): Failure => ({
      type: 'signInRequired',
      url: 'http://localhost/mcp',
      status: 403,
      challenge: null,
      scopes,
      body: null,
    });
    expect(failureTitle(reportOf(refused(['mcp:write'])))).toBe('Permission mcp:write is missing');
    expect(failureTitle(reportOf(refused([])))).toBe('A permission is missing');
    const expired: Failure = { type: 'sessionExpired', url: 'http://localhost/mcp' };
    expect(failureTitle(reportOf(expired, 'session expired'))).toBe('Session expired');
  });
});

describe('the return of the connection', () => {
  const sent = { from: NOW - 3 * MINUTE, to: NOW };

  it('is told with its delay, or that it is under way', () => {
    expect(returnOf(lossOf(exited(1)), false, sent)).toBe(
      'It was started again by itself 1.0 s later.',
    );
    expect(returnOf(lossOf(exited(1), { back: null }), true, sent)).toBe(
      'It is being started again by itself.',
    );
    expect(returnOf(lossOf(exited(1), { back: null }), false, sent)).toBeNull();
  });

  it('is not told of another loss', () => {
    expect(returnOf(lossOf(exited(1)), false, { from: NOW - MINUTE, to: NOW })).toBeNull();
    expect(returnOf(null, false, sent)).toBeNull();
  });
});
