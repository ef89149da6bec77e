import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { ScopeFileView, ServerView } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers/servers';
import { useSetupView } from '@/state/setup/setup-view';
import { stubBackend } from '@/test-support/backend';
import { demoServer, disconnected, problem, scopeFile, stdioServer } from '@/test-support/servers';
import { Welcome } from './Welcome';

const connect = vi.fn(async () => null);

function show(servers: ServerView[], files: ScopeFileView[] = []) {
  const project = { name: 'acme-web', path: '/srv/acme-web', dataDirectory: '/home/ada/data' };
  useServers.setState({ loaded: true, servers, files, project });
  render(
    <BackendContext value={stubBackend({ connect })}>
      <Welcome />
    </BackendContext>,
  );
}

beforeEach(() => {
  connect.mockClear();
  useSetupView.setState({ editing: null });
});

it('names no clients where there are none', () => {
  show([demoServer()]);
  expect(screen.getByText('No servers in this project yet.')).toBeVisible();
  expect(document.body).not.toHaveTextContent(/clients/);
  expect(screen.getByRole('button', { name: 'Connect to Demo' })).toHaveFocus();
});

it('names the servers of other clients where there are some', () => {
  const other = stdioServer({ name: 'memory', scope: 'user', line: 1, command: 'x', args: [] });
  const target = { client: 'codex', scope: 'user' } as const;
  show([demoServer(), { ...other, target, clientTitle: 'Codex' }]);
  expect(screen.getByRole('region', { name: '1 server of your other clients' })).toBeVisible();
  expect(document.body).toHaveTextContent('1 server of your other clients is in the list.');
});

it('says of a broken file what is wrong, and opens it there', async () => {
  const user = userEvent.setup();
  const problems = [problem(3, 20, 'Trailing comma: JSON allows none after the last entry.')];
  const file = scopeFile('project-root', { state: 'broken', problems });
  show([demoServer()], [file]);
  expect(screen.getByRole('note')).toHaveTextContent(
    '.mcp.json cannot be read. Line 3: Trailing comma: JSON allows none after the last entry.',
  );
  expect(document.body).not.toHaveTextContent('No servers');
  await user.click(screen.getByRole('button', { name: 'Open at line 3' }));
  expect(useSetupView.getState().editing).toMatchObject({
    target: file.target,
    place: { line: 3, column: 20 },
  });
});

it('repairs a file whose commas alone are wrong, after the difference was seen', async () => {
  const user = userEvent.setup();
  const comma = { ...problem(3, 20, 'A comma is missing here.'), kind: 'missingComma' as const };
  const file = scopeFile('project-root', { state: 'broken', problems: [comma] });
  show([demoServer()], [file]);
  await user.click(screen.getByRole('button', { name: 'Repair…' }));
  expect(useDialogs.getState().dialog).toEqual({
    kind: 'config-change',
    action: { type: 'repair', target: file.target },
  });
});

it('leads to the file that cannot be read at all', async () => {
  const user = userEvent.setup();
  const unreadable = 'Permission denied.';
  show([demoServer()], [scopeFile('project', { state: 'unreadable', unreadable })]);
  expect(screen.getByRole('note')).toHaveTextContent(
    '.claude/.mcp.json cannot be read. Permission denied.',
  );
  await user.click(screen.getByRole('button', { name: 'Show the file' }));
  expect(useNavigation.getState().server).toBe('file:mcp-json:project');
});

it('offers to open the built-in server where it is connected already', async () => {
  const user = userEvent.setup();
  show([{ ...demoServer(), status: { ...disconnected(), phase: 'ready' } }]);
  expect(screen.queryByRole('button', { name: 'Connect to Demo' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Open Demo' }));
  expect(useNavigation.getState().server).toBe('built-in:demo');
  expect(connect).not.toHaveBeenCalled();
});
