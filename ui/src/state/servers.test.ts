import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoServer, disconnected, stdioServer } from '@/test-support/servers';
import { useConfiguredServers, useServers } from './servers';

const other = () =>
  stdioServer({ name: 'other', scope: 'user', line: 3, command: 'node', args: [] });

beforeEach(() => {
  useServers.getState().replace([demoServer(), other()], []);
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
      act(() => useServers.getState().replace(servers, []));
    change(demoServer(), { ...other(), name: 'renamed' });
    expect(result.current.map(({ name }) => name)).toContain('renamed');
    change(demoServer());
    expect(result.current).toHaveLength(1);
  });
});
