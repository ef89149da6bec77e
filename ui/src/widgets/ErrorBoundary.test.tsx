import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from './ErrorBoundary';

let isBroken = true;

function Fragile() {
  if (isBroken) throw new Error('cannot draw "what the server said"');
  return createElement('p', null, 'drawn');
}

function show() {
  isBroken = true;
  // React tells of every error that it handed to a boundary.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  render(
    <>
      <button type="button">beside it</button>
      <ErrorBoundary pane="Tools">
        <Fragile />
      </ErrorBoundary>
    </>,
  );
}

test('a pane that cannot be drawn says so, and what is beside it stays', () => {
  show();
  expect(screen.getByRole('alert')).toHaveTextContent('could not be drawn');
  expect(screen.getByRole('button', { name: 'beside it' })).toBeEnabled();
});

test('a pane is drawn again when asked to', async () => {
  show();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Draw this pane again' }));
  expect(screen.getByText('drawn')).toBeInTheDocument();
});

test('the report names the component, and nothing that a server said', async () => {
  const user = userEvent.setup();
  show();
  await user.click(screen.getByRole('button', { name: 'Copy the report' }));
  const report = await navigator.clipboard.readText();
  expect(report).toContain('Fragile');
  expect(report).not.toContain('what the server said');
});
