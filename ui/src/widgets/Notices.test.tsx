import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { showError, showNote, showWarning } from '@/state/notices';
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

test('a loss does not carry the sign of success', async () => {
  render(<Notices />);
  act(() => showWarning('files lost its connection and is reconnecting'));
  const line = (await screen.findByText(/lost its connection/)).closest('div');
  expect(line).toHaveTextContent('▲');
  expect(line).not.toHaveTextContent('✓');
});
