import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubResizeObserver } from '@/test-support/no-layout';
import { SplitPane } from './SplitPane';

stubResizeObserver();

const PANES = [
  { id: 'list', size: '40%' },
  { id: 'detail', size: '30%' },
  { id: 'result', size: '30%' },
] as const;

function Panes({ isLoaded }: { isLoaded: boolean }) {
  return (
    <SplitPane name="test" direction="row" panes={PANES}>
      <p>List</p>
      {isLoaded ? <p>Detail</p> : null}
      <input aria-label="Answer" />
    </SplitPane>
  );
}

test('a pane keeps its place and what is written in it, while one before it is still loaded', () => {
  const { rerender } = render(<Panes isLoaded={false} />);
  const before = screen.getByRole('textbox', { name: 'Answer' });
  before.focus();
  rerender(<Panes isLoaded />);
  expect(screen.getByText('Detail')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Answer' })).toBe(before);
  expect(before).toHaveFocus();
});
