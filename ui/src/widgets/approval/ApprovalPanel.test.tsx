import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { LaunchKind, ServerView, TrustView } from '@/backend/bindings';
import { GUARD_TIME } from '@/components/use-key-guard';
import { useSnapshot } from '@/state/snapshot';
import { stubBackend } from '@/test-support/backend';
import { demoServer } from '@/test-support/servers';
import { ApprovalPanel } from './ApprovalPanel';

beforeEach(() => {
  vi.useFakeTimers();
  useSnapshot.setState({ folder: { path: '/srv/acme-web', answer: 'notAsked', isHome: false } });
});

afterEach(() => {
  vi.useRealTimers();
});

function serverOf(id: string, summary: string): ServerView {
  return { ...demoServer(), id, name: id, summary };
}

function trustOf(server: ServerView, kind: LaunchKind = 'program'): TrustView {
  return {
    server: server.id,
    name: server.name,
    project: 'acme-web',
    path: '.mcp.json',
    line: 1,
    waiting: true,
    changed: false,
    fingerprint: `fingerprint of ${server.summary}`,
    kind,
    consequences: [`Starts ${server.summary}.`],
    rows: [],
    text: '{}',
  };
}

/** The panel on a backend that says what is at hand. */
async function open(server: ServerView) {
  let answer: TrustView | Promise<TrustView> = trustOf(server);
  const approveServer = vi.fn(async () => null);
  const trustFolder = vi.fn(async () => null);
  const backend = stubBackend({
    getTrustRequest: async () => answer,
    approveServer,
    trustFolder,
  });
  const panel = (of: ServerView) => (
    <BackendContext.Provider value={backend}>
      <ApprovalPanel server={of} />
    </BackendContext.Provider>
  );
  const { rerender } = await act(async () => render(panel(server)));
  return {
    approveServer,
    trustFolder,
    change: (of: ServerView, trust: typeof answer) => {
      answer = trust;
      return act(async () => rerender(panel(of)));
    },
  };
}

const button = () => screen.getByRole('button', { name: 'Approve' });

function pressEnter() {
  const focused = document.activeElement ?? document.body;
  fireEvent.keyDown(focused, { key: 'Enter' });
  fireEvent.keyUp(focused, { key: 'Enter' });
}

it('takes no key for an entry that has just come under a focused button', async () => {
  const { approveServer, change } = await open(serverOf('docs', 'one'));
  vi.advanceTimersByTime(GUARD_TIME);
  button().focus();
  const other = serverOf('docs', 'two');
  await change(other, trustOf(other));
  expect(screen.getByText('Starts two.')).toBeVisible();
  pressEnter();
  button().focus();
  pressEnter();
  expect(approveServer).not.toHaveBeenCalled();
  vi.advanceTimersByTime(GUARD_TIME);
  await act(async () => pressEnter());
  expect(approveServer.mock.calls).toEqual([['docs', 'fingerprint of two']]);
});

it('forgets the tick for the folder when the entry changes', async () => {
  const { approveServer, trustFolder, change } = await open(serverOf('docs', 'one'));
  screen.getByRole('checkbox').click();
  const remote = serverOf('docs', 'https://docs.example');
  await change(remote, trustOf(remote, 'remote'));
  expect(screen.queryByRole('checkbox')).toBeNull();
  await act(async () => button().click());
  expect(approveServer).toHaveBeenCalledOnce();
  expect(trustFolder).not.toHaveBeenCalled();
});

it('shows nothing of the server before while that of another one is asked for', async () => {
  const { change } = await open(serverOf('docs', 'one'));
  const other = serverOf('other', 'one');
  await change(other, new Promise(() => {}));
  expect(screen.queryByRole('button')).toBeNull();
});
