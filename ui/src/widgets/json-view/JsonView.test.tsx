import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { stubResizeObserver } from '@/test-support/no-layout';
import { JsonView } from './JsonView';

beforeEach(() => {
  stubResizeObserver();
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
});

const row = (name: RegExp) => screen.getByRole('treeitem', { name });

it('offers at the row under the pointer what can be done with its value', async () => {
  const seen = vi.fn(() => [{ id: 'equals', title: 'Equals', run: () => {} }]);
  const action = { label: 'Expect', entries: seen };
  render(<JsonView text='{"sum": 5.0}' label="Answer" action={action} />);
  const sum = row(/sum/);
  expect(within(sum).queryByRole('button')).toBeNull();
  fireEvent.mouseOver(sum);
  const button = within(sum).getByRole('button', { name: 'Expect' });
  expect(seen).toHaveBeenLastCalledWith(['sum'], expect.anything());
  // The menu stays while the pointer goes into it.
  act(() => button.focus());
  fireEvent.mouseLeave(screen.getByRole('tree'));
  expect(within(sum).getByRole('button', { name: 'Expect' })).toBe(button);
  expect(sum).toHaveAttribute('aria-selected', 'true');
  await act(async () => button.click());
  const entries = (await screen.findAllByRole('menuitem')).map((entry) => entry.textContent);
  expect(entries.map((text) => text?.replace(/Ctrl.*|⌘.*/, ''))).toEqual([
    'Equals',
    'Copy value',
    'Copy path',
  ]);
});

it('offers copies where nothing else can be done', () => {
  render(<JsonView text='{"sum": 5.0}' label="Answer" />);
  fireEvent.mouseOver(row(/sum/));
  expect(within(row(/sum/)).getByRole('button', { name: 'Copy' })).toBeInTheDocument();
});
