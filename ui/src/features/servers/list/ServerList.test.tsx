import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useNavigation } from '@/state/navigation';
import { groupServers } from '@/state/servers/groups';
import { useServers } from '@/state/servers/servers';
import { setSidebarGroupFolded, useFoldedSidebarGroups } from '@/state/servers/sidebar-groups';
import { demoServer, disconnected, stdioServer } from '@/test-support/servers';
import { Layout } from './layout';
import { ServerList } from './ServerList';

const onMark = vi.fn();

const named = (name: string) =>
  stdioServer({ name, scope: 'user', line: 1, command: 'node', args: [] });

function List() {
  const servers = useServers((state) => state.servers);
  const folded = useFoldedSidebarGroups();
  const selected = useNavigation((state) => state.server);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const list = useRef<HTMLDivElement>(null);
  return (
    <ServerList
      list={list}
      layout={new Layout(groupServers(servers, []), folded, null, servers.length)}
      search=""
      selected={selected}
      marked={marked}
      onMark={(ids) => {
        onMark(ids);
        setMarked(ids);
      }}
      onContextMenu={() => {}}
      onPointerDown={undefined}
    />
  );
}

function show(names: readonly string[]) {
  useServers.setState({ loaded: true, servers: [...names.map(named), demoServer()] });
  render(<List />);
  return userEvent.setup();
}

const row = (name: string | RegExp) => screen.getByRole('option', { name });
const chosen = () => useNavigation.getState().server;

beforeEach(() => {
  onMark.mockClear();
  useNavigation.setState({ place: 'server', server: null });
  for (const id of ['yours', 'built-in']) setSidebarGroupFolded(id, false);
});

it('has one stop for Tab, and moves and selects with the arrows', async () => {
  const user = show(['alpha', 'beta', 'gamma']);
  await user.tab();
  expect(row(/^alpha/)).toHaveFocus();
  expect(chosen()).toBeNull();
  await user.keyboard('{ArrowDown}');
  expect(row(/^beta/)).toHaveFocus();
  expect(row(/^beta/)).toHaveAttribute('aria-selected', 'true');
  expect(chosen()).toBe(named('beta').id);
  await user.keyboard('k');
  expect(row(/^alpha/)).toHaveFocus();
  await user.keyboard('{End}');
  expect(row(/^Demo/)).toHaveFocus();
  await user.keyboard('{Home}g');
  expect(row(/^gamma/)).toHaveFocus();
  expect(chosen()).toBe(named('alpha').id);
  await user.keyboard('{Enter}');
  expect(chosen()).toBe(named('gamma').id);
  expect(screen.getAllByRole('option').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
});

it('selects several with Ctrl, Shift and Ctrl+A', async () => {
  const user = show(['alpha', 'beta', 'gamma']);
  const ids = ['alpha', 'beta', 'gamma'].map((name) => named(name).id);
  await user.click(row(/^alpha/));
  await user.keyboard('{Control>}');
  await user.click(row(/^gamma/));
  await user.keyboard('{/Control}');
  expect(onMark).toHaveBeenLastCalledWith([ids[0], ids[2]]);
  expect(row(/^gamma/)).toHaveAttribute('aria-selected', 'true');
  await user.click(row(/^gamma/));
  expect(onMark).toHaveBeenLastCalledWith([]);
  await user.keyboard('{Shift>}');
  await user.click(row(/^alpha/));
  await user.keyboard('{/Shift}');
  expect(onMark).toHaveBeenLastCalledWith(ids);
  await user.keyboard('{Control>}a{/Control}');
  expect(onMark).toHaveBeenLastCalledWith([...ids, demoServer().id]);
});

it('collapses and expands a group, and the focus goes along', async () => {
  const user = show(['alpha', 'beta']);
  await user.click(row(/^beta/));
  await user.keyboard('{ArrowLeft}');
  const folded = row('Yours, 2 servers, collapsed');
  expect(folded).toHaveFocus();
  expect(within(screen.getByRole('group', { name: 'Yours' })).getAllByRole('option')).toEqual([
    folded,
  ]);
  await user.keyboard('{ArrowDown}{ArrowUp}');
  expect(row('Yours, 2 servers, collapsed')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(row(/^alpha/)).toHaveFocus();
  await user.click(screen.getByText('Yours'));
  await user.click(row('Yours, 2 servers, collapsed'));
  expect(row(/^alpha/)).toHaveFocus();
});

it('keeps the focus on a server that moves to another group', async () => {
  const user = show(['alpha', 'beta']);
  await user.click(row(/^beta/));
  act(() =>
    useServers.getState().setStatus(named('beta').id, { ...disconnected(), phase: 'ready' }),
  );
  expect(
    within(screen.getByRole('group', { name: 'Connected' })).getByRole('option'),
  ).toHaveFocus();
});

it('draws of many servers those in view, and says which they are', async () => {
  const user = show(Array.from({ length: 500 }, (_, index) => `server-${1000 + index}`));
  const rows = screen.getAllByRole('option');
  expect(rows.length).toBeLessThan(60);
  expect(rows[3]).toHaveAttribute('aria-posinset', '4');
  expect(rows[3]).toHaveAttribute('aria-setsize', '501');
  await user.tab();
  await user.keyboard('{End}');
  expect(row(/^Demo/)).toHaveFocus();
});
