import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { stubResizeObserver } from '@/test-support/no-layout';
import type { Column } from './columns';
import type { RowSource } from './row-source';
import { VirtualTable } from './VirtualTable';

beforeEach(stubResizeObserver);

const COLUMNS: readonly Column<string, null>[] = [
  { id: 'name', title: 'Name', width: 100, cell: (row) => row },
];

/** Properties that no test here is about. */
const USUAL = {
  label: 'Rows',
  columns: COLUMNS,
  rowKey: (row: string) => row,
  frameOf: () => null,
  selected: null,
  onSelect: () => undefined,
  onOpen: () => undefined,
  follow: false,
  onFollowChange: () => undefined,
  widths: {},
  onWidthsChange: () => undefined,
};

function sourceOf(rows: readonly string[]): RowSource<string> {
  return {
    subscribe: () => () => undefined,
    getVersion: () => 0,
    count: rows.length,
    prepended: 0,
    generation: 0,
    row: (index) => rows[index],
    show: () => undefined,
  };
}

it('opens the row at which the button went down, whatever stands there when it comes up', () => {
  const onOpen = vi.fn();
  const table = (rows: readonly string[], follow: boolean) => (
    <VirtualTable {...USUAL} source={sourceOf(rows)} onOpen={onOpen} follow={follow} />
  );
  const { rerender } = render(table(['first', 'second'], false));
  const at = { clientX: 20, clientY: 60 };

  fireEvent.mouseDown(screen.getByText('second'), at);
  rerender(table(['zeroth', 'first', 'second'], true));
  // The element that was pressed is gone: the browser sends no click.
  fireEvent.mouseUp(screen.getByText('first'), at);
  expect(onOpen).toHaveBeenLastCalledWith('second');

  fireEvent.mouseDown(screen.getByText('first'), at);
  rerender(table(['first', 'second'], true));
  fireEvent.mouseUp(screen.getByText('second'), at);
  // The element shows another row: the browser sends its click there.
  fireEvent.click(screen.getByText('second'), { ...at, detail: 1 });
  expect(onOpen).toHaveBeenLastCalledWith('first');
  expect(onOpen).toHaveBeenCalledTimes(2);

  // An assistive technology clicks without a press.
  fireEvent.click(screen.getByText('second'), { ...at, detail: 0 });
  expect(onOpen).toHaveBeenLastCalledWith('second');

  // What is dragged over is no click.
  onOpen.mockClear();
  fireEvent.mouseDown(screen.getByText('first'), at);
  fireEvent.click(screen.getAllByRole('rowgroup').at(-1) as Element, { ...at, clientY: 90 });
  expect(onOpen).not.toHaveBeenCalled();
});

it('is a tree grid for rows that are a tree, and goes to a row once', () => {
  const onSelect = vi.fn();
  const source = sourceOf(['root', 'leaf']);
  const table = (goTo: { index: number } | null) => (
    <VirtualTable
      {...USUAL}
      source={source}
      treeOf={(row) => (row === 'root' ? { level: 1, isOpen: true } : { level: 2, isOpen: null })}
      onSelect={(row) => onSelect(row)}
      onKey={(_, key, moveTo) => {
        if (key === 'ArrowLeft') moveTo(0);
        return key === 'ArrowLeft';
      }}
      goTo={goTo}
    />
  );
  const { rerender } = render(table(null));
  const grid = screen.getByRole('treegrid', { name: 'Rows' });
  const [, root, leaf] = screen.getAllByRole('row');
  expect(root).toHaveAttribute('aria-expanded', 'true');
  expect(root).toHaveAttribute('aria-level', '1');
  expect(leaf).toHaveAttribute('aria-level', '2');
  expect(leaf).not.toHaveAttribute('aria-expanded');

  const goTo = { index: 1 };
  rerender(table(goTo));
  expect(onSelect).toHaveBeenLastCalledWith('leaf');
  fireEvent.keyDown(grid, { key: 'ArrowLeft' });
  expect(onSelect).toHaveBeenLastCalledWith('root');
  rerender(table(goTo));
  expect(onSelect).toHaveBeenLastCalledWith('root');
});

it('begins at the row that another view selected', () => {
  const onSelect = vi.fn();
  render(
    <VirtualTable
      {...USUAL}
      source={sourceOf(['first', 'second', 'third'])}
      selected="second"
      onSelect={(row) => onSelect(row)}
    />,
  );
  const grid = screen.getByRole('grid');
  expect(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')).toBe(
    screen.getByRole('row', { name: 'second' }),
  );
  fireEvent.keyDown(grid, { key: 'ArrowDown' });
  expect(onSelect).toHaveBeenLastCalledWith('third');
});
