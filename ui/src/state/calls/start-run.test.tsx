import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CallReport, Phase } from '@/backend/bindings';
import { useServers } from '@/state/servers/servers';
import { stubBackend } from '@/test-support/backend';
import { demoServer, disconnected } from '@/test-support/servers';
import { placeOfCall, runIdOf, useRuns } from './runs';
import { isWaiting, startRun, stopRun } from './start-run';

const { id } = demoServer();
const REPORT = { result: null, error: null, task: null } as unknown as CallReport;

function setPhase(phase: Phase, connection: number) {
  useServers.getState().setStatus(id, { ...disconnected(), phase, connection });
}

/** A backend whose connections are made by `setPhase`. */
function backendOf() {
  return {
    connect: vi.fn(async () => null),
    disconnect: vi.fn(async () => null),
    callTool: vi.fn(async (..._: unknown[]) => REPORT),
  };
}

const runsOf = (tool: string) => renderHook(() => useRuns(runIdOf('tool', id, tool)));
const DEFINITION = '{"name":"any"}';
const request = (name: string) =>
  ({ kind: 'tool', name, input: '{}', definition: DEFINITION }) as const;

beforeEach(() => {
  useServers.setState({ servers: [{ ...demoServer(), status: disconnected() }] });
});

test('a call of a server that is not connected connects it first', async () => {
  const given = backendOf();
  const { result } = runsOf('a');
  await act(async () => startRun(stubBackend(given), id, request('a')));
  expect(given.connect).toHaveBeenCalledOnce();
  await act(async () => setPhase('connecting', 1));
  expect(given.callTool).not.toHaveBeenCalled();
  expect(placeOfCall(id, null)).toEqual({ server: id, tab: 'tools', item: 'a' });
  await act(async () => setPhase('ready', 1));
  expect(given.callTool).toHaveBeenCalledOnce();
  // The server may list another one now.
  expect(given.callTool.mock.calls[0]?.at(-1)).toBe(DEFINITION);
  expect(result.current[0]?.report).toBe(REPORT);
  expect(placeOfCall(id, null)).toBeNull();
});

test('a call that is stopped while it waits is not sent, nor one that cannot be connected', async () => {
  const given = backendOf();
  const backend = stubBackend(given);
  const { result } = runsOf('b');
  await act(async () => startRun(backend, id, request('b')));
  const [run] = result.current;
  await act(async () => run && stopRun(backend, id, run));
  expect(result.current[0]?.failure?.code).toBe('notConnected');
  await act(async () => startRun(backend, id, request('b')));
  await act(async () => setPhase('failed', 2));
  expect(result.current[1]?.failure?.code).toBe('notConnected');
  await act(async () => setPhase('ready', 3));
  expect(given.callTool).not.toHaveBeenCalled();
});

test('a call after a restart is compared with the one before', async () => {
  const given = backendOf();
  const backend = stubBackend(given);
  const { result } = runsOf('c');
  setPhase('ready', 1);
  await act(async () => startRun(backend, id, request('c')));
  await act(async () => startRun(backend, id, request('c'), { isAnew: true }));
  expect(given.disconnect).toHaveBeenCalledOnce();
  expect(given.callTool).toHaveBeenCalledOnce();
  await act(async () => setPhase('disconnected', 1));
  await act(async () => setPhase('ready', 2));
  const [before, after] = result.current;
  expect(after?.report).toBe(REPORT);
  expect(after?.comparedWith).toBe(before?.key);
  // A change is what the restart is for.
  expect(given.callTool.mock.calls[1]?.at(-1)).toBeNull();
});

/** A backend whose server ends when `end` is called. */
function endingSlowly() {
  const ends: (() => void)[] = [];
  const disconnect = vi.fn(() => new Promise<null>((done) => ends.push(() => done(null))));
  const end = () =>
    act(async () => {
      for (const done of ends.splice(0)) done();
    });
  return { given: { ...backendOf(), disconnect }, end };
}

test('a restart that is asked for twice while the server ends sends one call', async () => {
  const { given, end } = endingSlowly();
  const backend = stubBackend(given);
  const { result } = runsOf('d');
  setPhase('ready', 1);
  await act(async () => startRun(backend, id, request('d'), { isAnew: true }));
  await act(async () => startRun(backend, id, request('d'), { isAnew: true }));
  const [first, second] = result.current;
  expect(first?.failure?.code).toBe('notConnected');
  expect(second && isWaiting(second)).toBe(true);
  await end();
  expect(given.connect).toHaveBeenCalledOnce();
  await act(async () => setPhase('ready', 2));
  expect(given.callTool).toHaveBeenCalledOnce();
  expect(result.current[1]?.report).toBe(REPORT);
});

test('a restart that is stopped while the server ends sends nothing and starts nothing', async () => {
  const { given, end } = endingSlowly();
  const backend = stubBackend(given);
  const { result } = runsOf('e');
  setPhase('ready', 1);
  await act(async () => startRun(backend, id, request('e'), { isAnew: true }));
  const [run] = result.current;
  await act(async () => run && stopRun(backend, id, run));
  await end();
  await act(async () => setPhase('ready', 2));
  expect(given.connect).not.toHaveBeenCalled();
  expect(given.callTool).not.toHaveBeenCalled();
});

test('a restart takes no connection for its own that was made while the server ends', async () => {
  const { given, end } = endingSlowly();
  setPhase('ready', 1);
  await act(async () => startRun(stubBackend(given), id, request('f'), { isAnew: true }));
  await act(async () => setPhase('ready', 2));
  expect(given.callTool).not.toHaveBeenCalled();
  await end();
  expect(given.callTool).not.toHaveBeenCalled();
  await act(async () => setPhase('ready', 3));
  expect(given.callTool).toHaveBeenCalledOnce();
});
