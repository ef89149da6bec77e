import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { showError, showNote, showNotice, useNotices } from '@/state/notices';
import { Notices } from './Notices';

/** Waits until a new notice takes presses. */
const settled = () => waitFor(() => expect(dismiss()).toBeEnabled());
const dismiss = () => screen.getByRole('button', { name: 'Dismiss' });

afterEach(() => {
  vi.restoreAllMocks();
  act(() => useNotices.setState({ notices: [] }));
});

test('an error stands with its hint until it is dismissed', async () => {
  const user = userEvent.setup();
  render(<Notices />);
  act(() => showError({ code: 'system', message: 'The disk is full.', hint: 'Free some space.' }));
  expect(await screen.findByText('The disk is full.')).toBeVisible();
  expect(screen.getByText('Free some space.')).toBeVisible();
  await settled();
  await user.click(dismiss());
  expect(screen.queryByText('The disk is full.')).toBeNull();
});

test('a note that came before anything was drawn is shown', async () => {
  showNote('Copied the report');
  render(<Notices />);
  expect(await screen.findByText('Copied the report')).toBeVisible();
});

test('a check mark stands before what was done, and before nothing else', () => {
  render(<Notices />);
  const line = screen.getByRole('region', { name: 'Messages' });
  act(() => showNote('Saved'));
  expect(line).toHaveTextContent(/^✓/);
  act(() => showNotice('warning', 'a lost its connection and is reconnecting'));
  expect(line).toHaveTextContent(/^▲/);
  act(() => showNotice('info', 'This call has no result yet.'));
  expect(line).toHaveTextContent(/^○/);
});

test('a press that was meant for what lay there before does nothing', async () => {
  const user = userEvent.setup();
  const run = vi.fn();
  render(<Notices />);
  act(() => showNotice('warning', 'docs is back', { label: 'Show', run }));
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  fireEvent.click(dismiss());
  expect(run).not.toHaveBeenCalled();
  await settled();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(run).toHaveBeenCalledOnce();
});

test('the place of a notice that went takes the second press, and is free after it', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(320);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  const user = userEvent.setup();
  render(<Notices />);
  act(() => showNote('Saved'));
  await settled();
  await user.click(dismiss());
  const region = screen.getByRole('region', { name: 'Messages' });
  expect(region.firstChild).toHaveStyle({ width: '320px', height: '40px' });
  await waitFor(() => expect(region).toBeEmptyDOMElement());
});
