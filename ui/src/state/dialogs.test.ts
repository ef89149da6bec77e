import { beforeEach, expect, it } from 'vitest';
import { type OpenDialog, useDialogs } from './dialogs';

const link = (text: string): OpenDialog => ({ kind: 'add-server', text });

beforeEach(() => useDialogs.setState({ dialog: null, waiting: [] }));

it('shows a link once the dialog that is open is closed, one after the other', () => {
  const { show, showWhenFree, close } = useDialogs.getState();
  const open = () => useDialogs.getState().dialog;
  show({ kind: 'settings' });
  expect(showWhenFree(link('one'))).toBe(false);
  expect(showWhenFree(link('two'))).toBe(false);
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
  expect(showWhenFree(link('one'))).toBe(true);
  show({ kind: 'palette' });
  expect(showWhenFree(link('two'))).toBe(true);
  for (let number = 0; number < 100; number += 1) showWhenFree(link(String(number)));
  expect(useDialogs.getState().waiting).toHaveLength(8);
});
