import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Dialog, type DialogAction } from './Dialog';

/** Opens a dialog without fields, and returns the button that has the focus. */
async function focusedIn(action: Omit<DialogAction, 'run'>, isCareful?: boolean): Promise<string> {
  cleanup();
  render(
    <Dialog
      title="Clear?"
      isOpen
      action={{ ...action, run: () => {} }}
      {...(isCareful === undefined ? {} : { isCareful })}
      onClose={() => {}}
    >
      <p>All of it.</p>
    </Dialog>,
  );
  await waitFor(() => expect(document.activeElement?.closest('[data-confirms]')).not.toBeNull());
  return document.activeElement?.textContent ?? '';
}

it('begins at the button that does it, and at the other where that is dangerous', async () => {
  expect(await focusedIn({ label: 'Save' })).toBe('Save');
  expect(await focusedIn({ label: 'Download' }, true)).toBe('Cancel');
  expect(await focusedIn({ label: 'Clear', isDangerous: true })).toBe('Cancel');
});

it('begins at no dangerous button, however late that can be pressed', async () => {
  const dialog = (isDisabled: boolean) => (
    <Dialog
      title="Remove?"
      isOpen
      action={{ label: 'Remove', isDangerous: true, isDisabled, run: () => {} }}
      onClose={() => {}}
    >
      <p>All of it.</p>
    </Dialog>
  );
  const { rerender } = render(dialog(true));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  rerender(dialog(false));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
});
