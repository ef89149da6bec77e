import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoServer, disconnected, stdioServer } from '@/test-support/servers';
import { useConfiguredServers, useServers } from './servers';

const other = () =>
  stdioServer({ name: 'other', scope: 'user', line: 3, command: 'node', args: [] });

beforeEach(() => {
  useServers.setState({ servers: [demoServer(), other()], files: [] });
});

describe('useConfiguredServers', () => {
  it('stays the same while only the status of a server moves', () => {
    const { result } = renderHook(() => useConfiguredServers());
    const before = result.current;
    const status = { ...disconnected(), phase: 'connecting' as const };
    act(() => useServers.getState().setStatus(demoServer().id, status));
    expect(useServers.getState().servers[0]?.status.phase).toBe('connecting');
    expect(result.current).toBe(before);
  });

  it('changes when a server is renamed, comes or goes', () => {
    const { result } = renderHook(() => useConfiguredServers());
    const change = (...servers: ReturnType<typeof demoServer>[]) =>
      act(() =>
        useServers.getState().change(
          servers.map(({ id }) => id),
          servers,
          [],
        ),
      );
    change(demoServer(), { ...other(), name: 'renamed' });
    expect(result.current.map(({ name }) => name)).toContain('renamed');
    change(demoServer());
    expect(result.current).toHaveLength(1);
  });
});

describe('a change of servers', () => {
  it('leaves those alone that it does not bring, and puts all in their order', () => {
    const [demo, second] = useServers.getState().servers;
    if (!demo || !second) throw new Error('two servers');
    const { change } = useServers.getState();
    const { servers } = useServers.getState();
    change([demo.id, second.id], [], []);
    expect(useServers.getState().servers).toBe(servers);
    change([second.id, demo.id], [{ ...demo, summary: 'another' }], []);
    const changed = useServers.getState().servers;
    expect(changed[0]).toBe(second);
    expect(changed[1]?.summary).toBe('another');
    expect(changed[1]?.status).toBe(demo.status);
    change([second.id], [], []);
    expect(useServers.getState().servers).toEqual([second]);
  });

  it('of one server leaves the others as they are, and brings back none that is gone', () => {
    const { replace } = useServers.getState();
    const second = useServers.getState().servers[1];
    replace({ ...demoServer(), summary: 'another' });
    replace({ ...other(), id: 'mcp-json:gone' });
    const { servers } = useServers.getState();
    expect(servers.map(({ summary }) => summary)).toEqual(['another', second?.summary]);
    expect(servers[1]).toBe(second);
  });
});
