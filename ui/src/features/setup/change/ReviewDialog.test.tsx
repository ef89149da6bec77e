import { cleanup, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { PlanView, Target } from '@/backend/bindings';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { SCOPES } from '@/test-support/configuration';
import { ReviewDialog } from './ReviewDialog';

/** Opens the removal of a server from a file, and returns the dialog. */
function removalOf(name: string, client: Target['client'], scope: string): HTMLElement {
  cleanup();
  useConfiguration.setState({ view: SCOPES.configuration });
  const planConfiguration = () => new Promise<PlanView>(() => {});
  render(
    <BackendContext.Provider value={stubBackend({ planConfiguration })}>
      <ReviewDialog action={{ type: 'remove', target: { client, scope }, names: [name] }} />
    </BackendContext.Provider>,
  );
  return screen.getByRole('dialog');
}

it('names the place that a server is removed from, and those where it stays', () => {
  const cursor = removalOf('memory', 'cursor', 'user');
  expect(cursor).toHaveAccessibleName('Remove memory from Cursor?');
  expect(cursor).toHaveTextContent('memory stays in Sightglass.');
  const ours = removalOf('memory', 'mcp-json', 'user');
  expect(ours).toHaveAccessibleName('Remove memory from ~/.claude/.mcp.json?');
  expect(ours).toHaveTextContent('memory stays in Cursor.');
  expect(ours).toHaveTextContent('Chimera defines memory too');
});

it('names the scope where the client has the server in several', () => {
  const scoped = removalOf('github', 'claude-code', 'user');
  expect(scoped).toHaveAccessibleName('Remove github from Claude Code, user?');
});

it('says that it is the only copy, also where several clients read its file', () => {
  expect(removalOf('sentry', 'claude-code', 'user')).toHaveTextContent('this is the only copy');
  const { configuration } = SCOPES;
  const clients = configuration.clients.map((client) => ({
    ...client,
    servers: client.servers.map((server) =>
      client.client === 'mcp-json' && server.name === 'postgres'
        ? { ...server, cells: server.cells.filter(({ scope }) => scope === 'project-root') }
        : server,
    ),
  }));
  const view = { ...configuration, clients };
  const dialog = removalOf('postgres', 'claude-code', 'project');
  expect(dialog).toHaveTextContent('postgres stays in Sightglass.');
  useConfiguration.setState({ view });
  return vi.waitFor(() => expect(dialog).toHaveTextContent('this is the only copy'));
});
