import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ObstacleView } from '@/backend/bindings';
import { useServers } from '@/state/servers/servers';
import { demoServer, stdioServer } from '@/test-support/servers';
import { useConfigCounts } from './configuration';

it('counts to approve what the rows of servers say needs it, of whatever client it is', () => {
  const obstacle: ObstacleView = { reason: 'Needs approval', hint: '', evidence: [], actions: [] };
  const waiting = { blocked: { type: 'waiting' }, obstacle } as const;
  const ours = stdioServer({ name: 'docs', scope: 'project', line: 1, command: 'x', args: [] });
  const theirs = { ...ours, id: 'cursor:docs', target: { client: 'cursor', scope: 'project' } };
  const servers = [demoServer(), { ...ours, ...waiting }, { ...theirs, ...waiting }] as const;
  useServers.setState({ servers: [...servers] as never });
  expect(renderHook(() => useConfigCounts()).result.current.waiting).toBe(2);
});
