import { fireEvent } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { firstSign } from './last-input';

/** Tells a move of the pointer; jsdom knows no distances. */
function move(distance: number): void {
  const event = new PointerEvent('pointermove');
  Object.defineProperties(event, { movementX: { value: distance }, movementY: { value: 0 } });
  window.dispatchEvent(event);
}

it('waits for a key, or for a pointer that moves, and not for one at rest', async () => {
  const moved = vi.fn();
  void firstSign().then(moved);
  move(0);
  await Promise.resolve();
  expect(moved).not.toHaveBeenCalled();
  move(3);
  await Promise.resolve();
  expect(moved).toHaveBeenCalledOnce();
  const pressed = firstSign();
  fireEvent.keyDown(document.body, { key: 'a' });
  await pressed;
});
