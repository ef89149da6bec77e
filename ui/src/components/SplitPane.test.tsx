import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
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

test('a pane keeps what is written in it when the panes go below each other', () => {
  const watching = new Map<Element, ResizeObserverCallback>();
  class Watching {
    readonly callback: ResizeObserverCallback;
    constructor(callback: ResizeObserverCallback) {
      this.callback = callback;
    }
    observe(element: Element) {
      watching.set(element, this.callback);
    }
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', Watching);
  const { container } = render(
    <SplitPane name="test" direction="row" panes={PANES} stackBelow={700}>
      <input aria-label="Filter" />
      <p>Detail</p>
      <p>Result</p>
    </SplitPane>,
  );
  const [separator] = screen.getAllByRole('separator');
  const field = screen.getByRole('textbox', { name: 'Filter' });
  field.setAttribute('value', 'echo');
  expect(separator).toHaveAttribute('aria-orientation', 'vertical');
  const frame = container.firstElementChild as Element;
  const narrow = { contentRect: { width: 500 } } as ResizeObserverEntry;
  act(() => watching.get(frame)?.([narrow], {} as ResizeObserver));
  expect(screen.getAllByRole('separator')[0]).toHaveAttribute('aria-orientation', 'horizontal');
  expect(screen.getByRole('textbox', { name: 'Filter' })).toBe(field);
  expect(field).toHaveValue('echo');
  stubResizeObserver();
});
