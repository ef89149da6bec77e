import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { ListChange, Phase } from '@/backend/bindings';
import { useLists } from '@/state/calls/lists';
import { stubBackend } from '@/test-support/backend';
import { demoServer, disconnected } from '@/test-support/servers';
import { ConnectedList } from './ConnectedList';

const LOADED: ListChange = {
  list: 'tools',
  state: { type: 'loaded' },
  count: 1,
  problems: 0,
  tokens: 10,
  freshFor: null,
  asOf: null,
  warning: null,
  revision: 1,
  added: [],
  removed: [],
  changed: [],
};

const NO_ITEMS: ListChange = { ...LOADED, state: { type: 'loading' }, count: 0, revision: 2 };

function list(phase: Phase, id: string) {
  const server = { ...demoServer(), id, status: { ...disconnected(), phase } };
  return (
    <BackendContext.Provider value={stubBackend()}>
      <ConnectedList server={server} lists={['tools']} noun="tools">
        <input aria-label="Filter" />
      </ConnectedList>
    </BackendContext.Provider>
  );
}

const filter = () => screen.queryByRole('textbox', { name: 'Filter' });

test('a list is back as the user left it once its server is started anew', async () => {
  const user = userEvent.setup();
  const id = 'built-in:kept';
  act(() => useLists.getState().set(id, LOADED));
  const { rerender } = render(list('ready', id));
  await user.type(screen.getByRole('textbox', { name: 'Filter' }), 'echo');
  const ended: Phase[] = ['cleaningUp', 'disconnected', 'failed'];
  for (const phase of ended) rerender(list(phase, id));
  expect(filter()).toBeVisible();
  act(() => useLists.getState().set(id, NO_ITEMS));
  rerender(list('connecting', id));
  expect(filter()).toBeNull();
  act(() => useLists.getState().set(id, { ...LOADED, revision: 3 }));
  rerender(list('ready', id));
  expect(filter()).toHaveValue('echo');
  expect(filter()).toHaveFocus();
});

test('a list that was seen last says of when it is, until its server is connected', () => {
  const id = 'built-in:last';
  act(() => useLists.getState().set(id, { ...LOADED, asOf: Date.now() }));
  const { rerender } = render(list('disconnected', id));
  expect(filter()).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent(/^Not connected.*as of \d\d:\d\d:\d\d/);
  expect(screen.getByRole('button', { name: 'Connect' })).toBeVisible();
  rerender(list('ready', id));
  expect(screen.queryByRole('button', { name: 'Connect' })).toBeNull();
});

test('of a server without a list, and of another one, nothing is kept', () => {
  const id = 'built-in:shown';
  const { container, rerender } = render(list('disconnected', id));
  expect(container.querySelector('input')).toBeNull();
  act(() => useLists.getState().set(id, LOADED));
  rerender(list('ready', id));
  expect(filter()).toBeVisible();
  rerender(list('disconnected', 'built-in:other'));
  expect(container.querySelector('input')).toBeNull();
});
