import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { Dialog } from '@/components/Dialog';
import { DialogNote } from '@/components/dialog-note';
import { useDialogs } from '@/state/dialogs';
import { WaitingLinks } from './WaitingLinks';

beforeEach(() => useDialogs.setState({ dialog: { kind: 'settings' }, waiting: [], dropped: 0 }));

const openLinks = (count: number) =>
  act(() => {
    for (let number = 0; number < count; number += 1) {
      useDialogs.getState().showWhenFree({ kind: 'add-server', text: String(number) });
    }
  });

it('tells in the dialog that links wait, and when some are not kept', () => {
  render(
    <DialogNote.Provider value={<WaitingLinks />}>
      <Dialog title="Settings" isOpen onClose={() => {}}>
        <p>Settings</p>
      </Dialog>
    </DialogNote.Provider>,
  );
  const dialog = screen.getByRole('dialog');
  expect(screen.queryByRole('status')).toBeNull();
  openLinks(1);
  expect(dialog).toContainElement(screen.getByRole('status'));
  expect(screen.getByRole('status')).toHaveTextContent(
    /^1 link waits until this dialog is closed\.$/,
  );
  openLinks(8);
  expect(screen.getByRole('status')).toHaveTextContent(
    '8 links wait until this dialog is closed. 1 further link was not kept. Open it again later.',
  );
});
