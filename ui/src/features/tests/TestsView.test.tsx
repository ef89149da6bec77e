import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { RequestsView } from '@/backend/bindings';
import { useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers/servers';
import { stubBackend } from '@/test-support/backend';
import { demoServer } from '@/test-support/servers';
import TestsView from './TestsView';

it('leads to a tool where there is no test yet', async () => {
  const view = { directory: '/srv/acme-web', requests: [], environments: [], problem: null };
  const getRequests = async () => view as Partial<RequestsView> as RequestsView;
  useServers.setState({ servers: [demoServer()] });
  render(
    <BackendContext.Provider value={stubBackend({ getRequests })}>
      <TestsView />
    </BackendContext.Provider>,
  );
  expect(await screen.findByText(/Run a tool, then choose “Expect”/)).toBeVisible();
  await act(async () => screen.getByRole('button', { name: 'Go to a tool' }).click());
  const { place, server, tabs } = useNavigation.getState();
  expect([place, server, tabs[demoServer().id]]).toEqual(['server', demoServer().id, 'tools']);
});
