import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { demoServer } from '@/test-support/servers';
import { type OpenDialog, useClose, useDialogs } from './dialogs';
import { startServer } from './servers/connecting';
import { useServers } from './servers/servers';
import { useSnapshot } from './snapshot';

const link = (text: string): OpenDialog => ({ kind: 'add-server', text });
const open = () => useDialogs.getState().dialog;
const close = () => useDialogs.getState().close(useDialogs.getState().opened);

beforeEach(() => useDialogs.setState({ dialog: null, waiting: [], dropped: 0 }));

it('shows a link once the dialog that is open is closed, one after the other', () => {
  const { show, showWhenFree } = useDialogs.getState();
  show({ kind: 'settings' });
  showWhenFree(link('one'));
  showWhenFree(link('two'));
  expect(open()).toEqual({ kind: 'settings' });
  const before = useDialogs.getState().opened;
  close();
  expect(open()).toEqual(link('one'));
  close();
  expect(open()).toEqual(link('two'));
  // Each is built anew.
  expect(useDialogs.getState().opened).toBe(before + 2);
  close();
  expect(open()).toBeNull();
});

it('shows a link at once where nothing can be lost, and keeps few of them', () => {
  const { show, showWhenFree } = useDialogs.getState();
  showWhenFree(link('one'));
  expect(open()).toEqual(link('one'));
  show({ kind: 'palette' });
  showWhenFree(link('two'));
  expect(open()).toEqual(link('two'));
  for (let number = 0; number < 100; number += 1) showWhenFree(link(String(number)));
  expect(useDialogs.getState()).toMatchObject({ dropped: 92 });
  expect(useDialogs.getState().waiting).toHaveLength(8);
  while (open() !== null) close();
  expect(useDialogs.getState().dropped).toBe(0);
});

it('closes no other dialog than the one that asks for it, however late', () => {
  const { show, showWhenFree } = useDialogs.getState();
  show({ kind: 'settings' });
  const settings = renderHook(() => useClose());
  showWhenFree(link('one'));
  // Pressed, and once more when what it waited for is done.
  settings.result.current();
  expect(open()).toEqual(link('one'));
  settings.result.current();
  expect(open()).toEqual(link('one'));
});

it('asks about the folder before the links that wait, and in the place of none', () => {
  const start = vi.fn(async () => {});
  const blocked = { type: 'folderNotTrusted' } as const;
  useServers.setState({ servers: [{ ...demoServer(), id: 'added', blocked }] });
  useSnapshot.setState({ folder: { path: '/srv', answer: 'notAsked', isHome: false } });
  const { show, showWhenFree } = useDialogs.getState();
  show({ kind: 'add-server' });
  showWhenFree(link('one'));
  showWhenFree(link('two'));
  // "Save and connect": the dialog closes, and the server is known a moment later.
  close();
  startServer('added', start);
  startServer('added', start);
  expect(open()).toEqual(link('one'));
  close();
  expect(open()).toEqual({ kind: 'folder-trust', server: 'added', start });
  close();
  expect(open()).toEqual(link('two'));
  close();
  expect(open()).toBeNull();
  expect(start).not.toHaveBeenCalled();
});
