import { fireEvent, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { EarlyKeys, takeEarlyKeys } from './EarlyKeys';

const NOTHING = { text: '', isEntered: false };

it('keeps what is typed before the palette is there, once, and nothing after that', () => {
  const seen = vi.fn();
  document.body.addEventListener('keydown', seen);
  const { unmount } = render(<EarlyKeys />);
  for (const key of ['e', 'c', 'Shift', 'Enter']) fireEvent.keyDown(document.body, { key });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  unmount();
  expect(seen.mock.calls.map(([{ key }]) => key)).toEqual(['Shift', 'k']);
  fireEvent.keyDown(document.body, { key: 'x' });
  expect(takeEarlyKeys()).toEqual({ text: 'ec', isEntered: true });
  expect(takeEarlyKeys()).toEqual(NOTHING);
});

it('forgets the keys of a palette that never came', () => {
  const first = render(<EarlyKeys />);
  fireEvent.keyDown(document.body, { key: 'a' });
  first.unmount();
  render(<EarlyKeys />);
  expect(takeEarlyKeys()).toEqual(NOTHING);
});
