import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
import { useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers/servers';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { demoServer } from '@/test-support/servers';
import { MainPane } from './MainPane';

stubResizeObserver();
const server = demoServer();

test('the panel of a tab follows its selection, and shows its server as that is then', async () => {
  useServers.setState({ servers: [server], loaded: true });
  useNavigation.getState().selectServer(server.id);
  render(
    <BackendContext.Provider value={stubBackend()}>
      <MainPane />
    </BackendContext.Provider>,
  );
  expect(screen.getByRole('tabpanel', { name: 'Overview' })).toHaveTextContent('Not connected');
  act(() => useNavigation.getState().selectTab(server.id, 'settings'));
  expect(screen.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true');
  const panel = await screen.findByRole('tabpanel', { name: 'Settings' });
  expect(panel.id).toBe(
    screen.getByRole('tab', { name: 'Settings' }).getAttribute('aria-controls'),
  );
  act(() => {
    useServers.getState().replace({ ...server, disabled: true });
    useNavigation.getState().selectTab(server.id, 'overview');
  });
  expect(screen.getByRole('tabpanel', { name: 'Overview' })).toHaveTextContent('Disabled');
});
