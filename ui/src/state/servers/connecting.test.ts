import { expect, it, vi } from 'vitest';
import type { StartView } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { useSnapshot } from '@/state/snapshot';
import { demoServer } from '@/test-support/servers';
import { startServer } from './connecting';
import { useServers } from './servers';

const OUTSIDE: StartView = { next: 'emptyDirectory', last: null, missesFolder: false };

it.each([
  ['a server that was there', OUTSIDE, false, true],
  ['one that was just written', OUTSIDE, true, false],
  [
    'one that was just written and may miss the folder',
    { ...OUTSIDE, missesFolder: true },
    true,
    true,
  ],
])('asks about the folder for %s', (_, start, isWritten, asks) => {
  useDialogs.setState({ dialog: null, waiting: [] });
  useServers.setState({ servers: [{ ...demoServer(), id: 'added', start }] });
  useSnapshot.setState({ folder: { path: '/srv', answer: 'notAsked', isHome: false } });
  const run = vi.fn(async () => {});
  startServer('added', run, { isWritten });
  expect(useDialogs.getState().dialog?.kind).toBe(asks ? 'folder-trust' : undefined);
  expect(run).toHaveBeenCalledTimes(asks ? 0 : 1);
});

it('asks about the folder for one that was just written and uses it', () => {
  useDialogs.setState({ dialog: null, waiting: [] });
  const blocked = { type: 'folderNotTrusted' } as const;
  useServers.setState({ servers: [{ ...demoServer(), id: 'added', blocked }] });
  const run = vi.fn(async () => {});
  startServer('added', run, { isWritten: true });
  expect(useDialogs.getState().dialog?.kind).toBe('folder-trust');
  expect(run).not.toHaveBeenCalled();
});
