import { expect, test } from 'vitest';
import type { DoctorReport, RequestView, SurfaceView } from '@/backend/bindings';
import { demoServer } from '@/test-support/servers';
import { type Evidence, verdictOf } from './verdict';

const nothing: Evidence = {
  server: demoServer(),
  doctor: undefined,
  findings: null,
  surface: null,
  isOwn: false,
  conformance: undefined,
  load: undefined,
  tests: [],
  reports: {},
  isTesting: false,
};

const connected = {
  ...demoServer(),
  status: { ...demoServer().status, phase: 'ready' as const, connection: 7 },
};

const surface: SurfaceView = {
  server: 'demo',
  isPinned: false,
  stored: new Date(2026, 10, 20, 9, 31).getTime(),
  changes: [],
  leftOut: 0,
  breaking: 1,
  attention: 1,
  compatible: 1,
  notes: 0,
  isPossibleRugPull: false,
  findings: [],
  silenced: [],
};

function report(connection: number): DoctorReport {
  return {
    server: 'demo',
    state: 'finished',
    checks: [],
    cause: 'The port is closed.',
    action: null,
    failure: { reason: 'refused' } as DoctorReport['failure'],
    otherAddress: null,
    connection,
    text: '',
  };
}

function request(path: string): RequestView {
  return {
    path,
    name: path,
    tags: [],
    server: 'Demo',
    method: 'ping',
    subject: null,
    skip: null,
    problems: [],
  };
}

test('a server of which nothing is known is not judged', () => {
  expect(verdictOf(nothing)).toMatchObject({ state: 'open', words: 'Not checked yet.', count: 0 });
});

test('the verdict is that of the worst part, and names every part that is bad', () => {
  const verdict = verdictOf({ ...nothing, server: connected, findings: [], surface });
  expect(verdict.state).toBe('failed');
  expect(verdict.words).toBe(
    '3 changes since 2026-11-20 09:31: 1 breaks callers, 1 may matter to a model',
  );
  expect(verdict.count).toBe(2);
  expect(verdict.parts.connection).toMatchObject({ state: 'passed', words: 'Works.' });
});

test('changes that the user makes are no alarm', () => {
  const verdict = verdictOf({ ...nothing, server: connected, findings: [], surface, isOwn: true });
  expect(verdict).toMatchObject({ state: 'passed', words: 'Nothing found.', count: 0 });
});

test('what the doctor found counts until a later connection is up', () => {
  const words = 'Failed: refused. The port is closed.';
  const before = verdictOf({ ...nothing, doctor: report(6) }).parts.connection;
  expect(before).toMatchObject({ state: 'failed', words });
  expect(verdictOf({ ...nothing, server: connected, doctor: report(8) }).state).toBe('failed');
  expect(verdictOf({ ...nothing, server: connected, doctor: report(6) }).state).toBe('passed');
});

test('tests count by how they went last', () => {
  const tests = [request('a'), request('b'), request('c')];
  const judge = (reports: Record<string, string>) =>
    verdictOf({
      ...nothing,
      tests,
      reports: Object.fromEntries(
        Object.entries(reports).map(([path, verdict]) => [path, { verdict }]),
      ) as unknown as Evidence['reports'],
    }).parts.tests;
  expect(judge({})).toMatchObject({ state: 'open', words: '3 tests, not run' });
  expect(judge({ a: 'passed' })).toMatchObject({ state: 'passed', words: '1 test passed' });
  expect(judge({ a: 'passed', b: 'failed', c: 'error' })).toMatchObject({
    state: 'failed',
    words: '1 test failed, 1 not judged, 1 passed',
    count: 2,
  });
});
