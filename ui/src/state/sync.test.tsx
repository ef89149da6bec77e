import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionStatus, Fact, InspectorEvent, Phase, ServerView } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { disconnected } from '@/test-support/servers';
import { useCalls } from './calls/calls';
import { useLists } from './calls/lists';
import { useQuestions } from './calls/questions';
import { isSubscribed, subscribe, useSubscriptions } from './calls/subscriptions';
import { useNotices } from './notices';
import { useServers } from './servers/servers';
import { startSync } from './sync';

const DEMO = 'built-in:demo';

/** A backend whose facts come when the test says so, also while the snapshot is on its way. */
async function backendWith(options: { sequence: number; duringSnapshot?: InspectorEvent[] }) {
  const stub = stubBackend();
  let listener: (batch: InspectorEvent[]) => void = () => {};
  const backend = stubBackend({
    async onEvents(given) {
      listener = given;
      return () => {};
    },
    async getSnapshot() {
      const snapshot = { ...(await stub.getSnapshot()), sequence: options.sequence };
      listener(options.duringSnapshot ?? []);
      return snapshot;
    },
  });
  await startSync(backend);
  return (...events: InspectorEvent[]) => listener(events);
}

function at(sequence: number, fact: Fact): InspectorEvent {
  return { sequence, fact };
}

function status(phase: Phase): Fact {
  const next: ConnectionStatus = { ...disconnected(), phase, since: 0, connection: 1 };
  return { type: 'connection', event: { type: 'status', server: DEMO, status: next } };
}

const phaseNow = () =>
  useServers.getState().servers.find((server: ServerView) => server.id === DEMO)?.status.phase;

const latestNotice = () => useNotices.getState().notices.at(-1)?.title;

beforeEach(() => {
  useQuestions.setState({ open: [] });
  useCalls.setState({ progress: {} });
});

describe('startSync', () => {
  it('shows what the backend gave along before anything was asked', async () => {
    const stub = stubBackend();
    const given = { ...(await stub.getSnapshot()), sequence: 3 };
    useServers.setState({ loaded: false, servers: [] });
    const synced = startSync(stubBackend({ given }));
    expect(useServers.getState().servers).toBe(given.servers);
    await synced;
  });

  it('replaces what the backend gave along by what has changed since', async () => {
    const stub = stubBackend();
    const given = { ...(await stub.getSnapshot()), sequence: 3, servers: [] };
    await startSync(stubBackend({ given }));
    expect(useServers.getState().servers).not.toHaveLength(0);
  });

  it('applies a fact that comes while the snapshot is on its way', async () => {
    await backendWith({ sequence: 7, duringSnapshot: [at(8, status('connecting'))] });
    expect(phaseNow()).toBe('connecting');
  });

  it('does not apply a fact that the snapshot already holds', async () => {
    await backendWith({ sequence: 7, duringSnapshot: [at(7, status('connecting'))] });
    expect(phaseNow()).toBe('disconnected');
  });

  it('never goes back to an older fact', async () => {
    const tell = await backendWith({ sequence: 0 });
    tell(at(1, status('connecting')), at(2, status('ready')));
    tell(at(1, status('connecting')));
    expect(phaseNow()).toBe('ready');
  });

  it('keeps what a server asks until it is settled', async () => {
    const tell = await backendWith({ sequence: 0 });
    const question = {
      id: 4,
      server: DEMO,
      method: 'roots/list',
      params: '{}',
      at: 0,
      call: null,
      frame: null,
      beforeAnotherTry: false,
      timeLeft: null,
      remark: null,
      awaitsModel: false,
    };
    tell(at(1, { type: 'connection', event: { type: 'questionArrived', question } }));
    expect(useQuestions.getState().open.map(({ id }) => id)).toEqual([4]);
    tell(at(2, { type: 'connection', event: { type: 'questionSettled', id: 4, how: 'answered' } }));
    expect(useQuestions.getState().open).toEqual([]);
  });

  it('shows a subscription that was not renewed as gone', async () => {
    const tell = await backendWith({ sequence: 0 });
    const server = useServers.getState().servers.find(({ id }) => id === DEMO);
    if (!server) throw new Error('no demo server');
    await subscribe(stubBackend(), server, 'demo://clock');
    await subscribe(stubBackend(), server, 'demo://counter');
    const { result } = renderHook(() => useSubscriptions());
    const refused = { type: 'subscriptionRefused' as const, server: DEMO, uri: 'demo://clock' };
    act(() => tell(at(1, { type: 'connection', event: refused })));
    expect(isSubscribed(result.current, server, 'demo://clock')).toBe(false);
    expect(isSubscribed(result.current, server, 'demo://counter')).toBe(true);
    expect(latestNotice()).toMatch(/refused to renew the subscription to demo/);
  });

  it('says how many changes of resources it does not show', async () => {
    const tell = await backendWith({ sequence: 0 });
    tell(at(1, { type: 'updatesDropped', count: 1200 }));
    expect(latestNotice()).toMatch(/^1,200 announcements of changed resources/);
  });

  it('knows how each list of each server stands', async () => {
    const tell = await backendWith({ sequence: 0 });
    const change = {
      list: 'tools' as const,
      state: { type: 'loaded' as const },
      count: 3,
      revision: 9,
      problems: 0,
      tokens: 0,
      freshFor: null,
      asOf: null,
      warning: null,
      added: [],
      removed: [],
      changed: [],
    };
    tell(at(1, { type: 'connection', event: { type: 'list', server: DEMO, change } }));
    expect(useLists.getState().byServer[DEMO]?.tools).toEqual(change);
  });

  it('drops progress of calls that are over', async () => {
    const tell = await backendWith({ sequence: 0 });
    const progress = { progress: 1, total: 2, message: null };
    useCalls.getState().begin('running');
    tell(
      at(1, {
        type: 'connection',
        event: { type: 'progress', server: DEMO, call: 'running', progress },
      }),
      at(2, {
        type: 'connection',
        event: { type: 'progress', server: DEMO, call: 'over', progress },
      }),
    );
    expect(useCalls.getState().progress).toEqual({ running: progress });
  });
});
