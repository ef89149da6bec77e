import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { problem } from '@/test-support/servers';
import { ProblemList } from './ProblemList';

test('a problem of another file names it, and is not opened in this one', async () => {
  const user = userEvent.setup();
  const open = vi.fn();
  const here = problem(2, 3, 'Not JSON here.');
  const elsewhere = { ...problem(4, 5, 'Servers stand here.'), file: '/home/ada/settings.json' };
  render(<ProblemList problems={[here, elsewhere]} onOpen={open} />);
  expect(screen.getByText('/home/ada/settings.json, line 4, column 5')).toBeVisible();
  await user.click(screen.getByRole('button'));
  expect(open).toHaveBeenCalledOnce();
  expect(open).toHaveBeenCalledWith(here);
});
