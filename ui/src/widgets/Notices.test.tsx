import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { showError, showNote, showNotice } from '@/state/notices';
import { Notices } from './Notices';

test('an error stands with its hint until it is dismissed', async () => {
  const user = userEvent.setup();
  render(<Notices />);
  act(() => showError({ code: 'system', message: 'The disk is full.', hint: 'Free some space.' }));
  expect(await screen.findByText('The disk is full.')).toBeVisible();
  expect(screen.getByText('Free some space.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
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
