import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubResizeObserver } from '@/test-support/no-layout';
import { ListDetail } from './ListDetail';

stubResizeObserver();

const PANES = [{ id: 'list' }, { id: 'detail' }] as const;
const back = () => screen.queryByRole('button', { name: 'Back to the list' });

function show() {
  render(
    <ListDetail name="test" panes={PANES}>
      <div role="listbox" aria-label="Tools" tabIndex={0}>
        <div role="option" aria-selected tabIndex={-1} data-active>
          echo
        </div>
        <div role="option" aria-selected={false} tabIndex={-1} data-folds>
          folder
        </div>
      </div>
      <input aria-label="Message" />
    </ListDetail>,
  );
}

// A page in a unit test has no layout: here, less room than the panes take.
const room = vi.spyOn(Element.prototype, 'clientHeight', 'get');
const content = vi.spyOn(Element.prototype, 'scrollHeight', 'get');
beforeEach(() => {
  room.mockReturnValue(200);
  content.mockReturnValue(480);
});
afterEach(() => {
  room.mockReset();
  content.mockReset();
});

test('a press opens the item of a list that has no room beside it, and Back leads to the list', async () => {
  show();
  await userEvent.click(screen.getByRole('option', { name: 'folder' }));
  expect(back()).toBeNull();
  await userEvent.click(screen.getByRole('option', { name: 'echo' }));
  await userEvent.click(screen.getByRole('button', { name: 'Back to the list' }));
  expect(back()).toBeNull();
  expect(screen.getByRole('listbox')).toHaveFocus();
});

test('of the keys only Enter opens an item, and Escape leads back from wherever the focus is', () => {
  show();
  const list = screen.getByRole('listbox');
  fireEvent.keyDown(list, { key: 'ArrowDown' });
  expect(back()).toBeNull();
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(back()).toBeVisible();
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Message' }), { key: 'Escape' });
  expect(back()).toBeNull();
  expect(list).toHaveFocus();
});

test('a window that is made low shows the item that was used, and not one beside the list', () => {
  const observers: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: () => void) {
        observers.push(told);
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const resize = (height: number) => {
    room.mockReturnValue(height);
    // Panes look at what is told to them.
    act(() => {
      for (const told of observers) Reflect.apply(told, undefined, [[]]);
    });
  };
  room.mockReturnValue(900);
  show();
  screen.getByRole('listbox').focus();
  resize(200);
  expect(back()).toBeNull();
  resize(900);
  screen.getByRole('textbox', { name: 'Message' }).focus();
  resize(200);
  expect(back()).toBeVisible();
  stubResizeObserver();
});

test('nothing moves where the item is in sight beside its list', async () => {
  content.mockReturnValue(200);
  show();
  await userEvent.click(screen.getByRole('option', { name: 'echo' }));
  expect(back()).toBeNull();
});
