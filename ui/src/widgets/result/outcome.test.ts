import { describe, expect, it } from 'vitest';
import type { CallReport, Failure, RequestEnd } from '@/backend/bindings';
import { outcomeOf } from './outcome';

function report(end: RequestEnd, failure: Failure | null): CallReport {
  return {
    request: {
      end,
      request_frame: 7,
      response_frame: null,
      duration: 1000,
      waited: 0,
      size: 0,
      message: null,
      failure: failure && {
        failure,
        reason: '',
        headline: null,
        hint: { text: '', action: { kind: 'reconnect' } },
        may_be_elsewhere: false,
      },
    },
    result: null,
    error: null,
    task: null,
    freshness: null,
  };
}

const exited = (code: number): Failure => ({
  kind: 'exited',
  command_line: 'node server.js',
  code,
  signal: null,
  stderr: [],
  stdout: [],
  unanswered: [],
});

const refused = (status: number): Failure => ({
  kind: 'sign_in_required',
  url: 'http://localhost/mcp',
  status,
  challenge: null,
  scopes: [],
  body: null,
});

describe('the outcome of a call without an answer', () => {
  it.each([
    ['connection_lost', exited(1), 'The server crashed after 1.0 s'],
    ['connection_lost', exited(0), 'The server ended after 1.0 s'],
    ['connection_lost', null, 'Connection lost after 1.0 s'],
    ['refused', refused(403), 'Permission missing after 1.0 s'],
    ['refused', refused(401), 'Sign-in required after 1.0 s'],
    ['refused', null, 'Refused after 1.0 s'],
  ] as const)('%s is named by its cause', (end, failure, title) => {
    expect(outcomeOf(report(end, failure)).title).toBe(title);
  });
});
