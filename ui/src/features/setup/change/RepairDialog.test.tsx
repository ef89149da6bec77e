import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Draft, PlanView, TextReading } from '@/backend/bindings';
import { useServers } from '@/state/servers/servers';
import { useConfiguration } from '@/state/setup/configuration';
import type { Repair } from '@/state/setup/repair';
import { stubBackend } from '@/test-support/backend';
import { stdioServer } from '@/test-support/servers';
import { RepairDialog } from './RepairDialog';

const SERVER = stdioServer({ name: 'time', scope: 'project', line: 2, command: 'uvxx', args: [] });

const DRAFT: Draft = {
  name: 'time',
  endpoint: {
    type: 'stdio',
    command: 'uvxx',
    arguments: [],
    environment: [],
    workingDirectory: null,
  },
};

const PLAN: PlanView = {
  plan: 7,
  title: 'Edit .mcp.json',
  lost: [],
  warnings: [],
  disconnects: [],
  servers: [],
  files: [
    {
      path: '/srv/.mcp.json',
      label: '.mcp.json',
      outside: null,
      creates: false,
      deletes: false,
      diff: [{ kind: 'added', text: '"command": "uvx"', before: null, after: 1 }],
      remainingProblems: [],
    },
  ],
};

async function open(repair: Repair, draft = DRAFT) {
  const editConfigurationText = vi.fn(
    async (): Promise<TextReading> => ({
      text: 'the repaired text',
      unwritten: null,
      check: null,
      problems: [],
      servers: [],
    }),
  );
  const getDefinitionDraft = vi.fn(async () => draft);
  const planConfiguration = vi.fn(async () => PLAN);
  const applyConfiguration = vi.fn(async () => ({ type: 'applied' as const, title: 'Saved' }));
  const connect = vi.fn(async () => null);
  const backend = stubBackend({
    getDefinitionDraft,
    getConfigurationText: async () => ({
      path: '/srv/.mcp.json',
      format: 'json',
      exists: true,
      text: 'the text',
      schema: null,
    }),
    editConfigurationText,
    planConfiguration,
    applyConfiguration,
    disconnect: async () => null,
    connect,
  });
  await act(async () =>
    render(
      <BackendContext value={backend}>
        <RepairDialog server={SERVER.id} repair={repair} />
      </BackendContext>,
    ),
  );
  return {
    getDefinitionDraft,
    editConfigurationText,
    planConfiguration,
    applyConfiguration,
    connect,
  };
}

beforeEach(() => useServers.setState({ servers: [SERVER] }));

it('shows the repaired entry, and writes and connects it once that was seen', async () => {
  const user = userEvent.setup();
  const called = await open({ kind: 'command', from: 'uvxx', to: 'uvx' });
  expect(await screen.findByText('"command": "uvx"')).toBeVisible();
  expect(screen.getByRole('dialog', { name: 'Use uvx' })).toBeVisible();
  expect(called.editConfigurationText).toHaveBeenCalledWith(
    SERVER.target,
    'the text',
    'time',
    { ...DRAFT, endpoint: { ...DRAFT.endpoint, command: 'uvx' } },
    'time',
  );
  expect(called.planConfiguration).toHaveBeenCalledWith({
    type: 'text',
    target: SERVER.target,
    text: 'the repaired text',
  });
  await user.click(screen.getByRole('button', { name: 'Save and connect' }));
  expect(called.applyConfiguration).toHaveBeenCalledWith(7, false, {});
  await vi.waitFor(() => expect(called.connect).toHaveBeenCalledWith(SERVER.id));
});

it('has the words of the button that opened it, also where a certificate is accepted', async () => {
  const endpoint = { type: 'remote', url: 'https://localhost/mcp' } as Draft['endpoint'];
  const called = await open({ kind: 'certificate', fingerprint: 'F7:F6' }, { ...DRAFT, endpoint });
  const dialog = screen.getByRole('dialog', { name: 'Accept this certificate' });
  const accept = within(dialog).getByRole('button', { name: 'Accept this certificate' });
  await vi.waitFor(() => expect(accept).toBeEnabled());
  await userEvent.setup().click(accept);
  await vi.waitFor(() => expect(called.connect).toHaveBeenCalledWith(SERVER.id));
});

it('says where the entry is no longer what was to be repaired', async () => {
  const { planConfiguration } = await open({ kind: 'command', from: 'other', to: 'uvx' });
  expect(await screen.findByRole('alert')).toHaveTextContent('no longer says');
  expect(planConfiguration).not.toHaveBeenCalled();
});

it('writes no text of before once the file changed under it', async () => {
  const called = await open({ kind: 'command', from: 'uvxx', to: 'uvx' });
  expect(await screen.findByText('"command": "uvx"')).toBeVisible();
  const plans = called.planConfiguration.mock.calls.length;
  const readAgain = () =>
    act(async () =>
      useConfiguration.setState(({ view }) => ({
        view: { ...view, revision: view.revision + 1 },
      })),
    );
  const endpoint = { ...DRAFT.endpoint, command: 'other' } as Draft['endpoint'];
  called.getDefinitionDraft.mockResolvedValue({ ...DRAFT, endpoint });
  await readAgain();
  expect(await screen.findByRole('alert')).toHaveTextContent('no longer says');
  for (const name of ['Save', 'Save and connect']) {
    expect(screen.getByRole('button', { name })).toBeDisabled();
  }
  // Longer than a plan waits for the last key.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(called.planConfiguration).toHaveBeenCalledTimes(plans);
  expect(screen.queryByText('"command": "uvx"')).toBeNull();

  called.getDefinitionDraft.mockResolvedValue(DRAFT);
  await readAgain();
  expect(await screen.findByText('"command": "uvx"')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  // Nobody expects it, so the next key is not for it.
  expect(document.querySelector('[data-guarded]')).not.toBeNull();
});
