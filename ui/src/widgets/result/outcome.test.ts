import { describe, expect, it } from 'vitest';
import type { CallReport, Failure, RequestEnd } from '@/backend/bindings';
import { outcomeOf } from './outcome';

function report(end: RequestEnd, failure: Failure | null): CallReport {
  return {
    request: {
      end,
      requestFrame: 7,
      responseFrame: null,
      duration: 1000,
      waited: 0,
      size: 0,
      message: null,
      failure: failure && {
        failure,
        reason: '',
        headline: null,
        trace: null,
        hint: { text: '', action: { type: 'reconnect' } },
        mayBeElsewhere: false,
      },
    },
    result: null,
    error: null,
    task: null,
    freshness: null,
  };
}

const exited = (code: number): Failure => ({
  type: 'exited',
  commandLine: 'node server.js',
  code,
  signal: null,
  stderr: [],
  stdout: [],
  unanswered: [],
});

const refused = (status: number): Failure => ({
  type: 'signInRequired',
  url: 'http://localhost/mcp',
  status,
  challenge: null,
  scopes: [],
  body: null,
});

describe('the outcome of a call without an answer', () => {
  it.each([
    ['connectionLost', exited(1), 'The server crashed after 1.0 s'],
    ['connectionLost', exited(0), 'The server ended after 1.0 s'],
    ['connectionLost', null, 'Connection lost after 1.0 s'],
    ['refused', refused(403), 'Permission missing after 1.0 s'],
    ['refused', refused(401), 'Sign-in required after 1.0 s'],
    ['refused', null, 'Refused after 1.0 s'],
  ] as const)('%s is named by its cause', (end, failure, title) => {
    expect(outcomeOf(report(end, failure)).title).toBe(title);
  });
});
