import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { Guarded } from './Guarded';
import { GUARD_TIME } from './use-key-guard';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Presses a key on an element; returns false where the press was dropped. */
function press(element: Element, key: string, init: KeyboardEventInit = {}): boolean {
  const isTaken = fireEvent.keyDown(element, { key, ...init });
  fireEvent.keyUp(element, { key, ...init });
  return isTaken;
}

it('drops the keys of the first half second on buttons that confirm', () => {
  const confirmed = vi.fn();
  render(
    <Guarded>
      <Button onPress={confirmed}>Approve</Button>
    </Guarded>,
  );
  const button = screen.getByRole('button', { name: 'Approve' });
  press(button, 'Enter');
  press(button, ' ');
  vi.advanceTimersByTime(GUARD_TIME - 1);
  press(button, 'Enter');
  expect(confirmed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  fireEvent.keyDown(button, { key: 'Enter', repeat: true });
  expect(confirmed).not.toHaveBeenCalled();
  press(button, 'Enter');
  expect(confirmed).toHaveBeenCalledOnce();
});

it('drops Ctrl+Enter on a dialog that has just opened, and leaves its fields alone', () => {
  const confirmed = vi.fn();
  render(
    <Dialog
      title="Trust"
      isOpen
      onClose={() => {}}
      footer={<Button onPress={confirmed}>Trust</Button>}
    >
      <textarea aria-label="Note" />
    </Dialog>,
  );
  const field = screen.getByRole('textbox', { name: 'Note' });
  expect(press(field, 'Enter')).toBe(true);
  expect(press(field, ' ')).toBe(true);
  press(field, 'Enter', { ctrlKey: true });
  press(screen.getByRole('button', { name: 'Trust' }), 'Enter');
  expect(confirmed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(GUARD_TIME);
  press(field, 'Enter', { ctrlKey: true });
  expect(confirmed).toHaveBeenCalledOnce();
});
