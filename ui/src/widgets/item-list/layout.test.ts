import { expect, it } from 'vitest';
import { Layout } from './layout';

const SCHEMA = { prefix: 'schema_', first: 2, count: 3 };
const RESULT = { prefix: 'result_', first: 5, count: 4 };

function linesOf(layout: Layout): string[] {
  return Array.from({ length: layout.count }, (_, at) => {
    const line = layout.line(at);
    return line?.kind === 'heading' ? line.group.prefix : String(line?.index);
  });
}

it('puts a heading before each group', () => {
  const layout = new Layout(10, [SCHEMA, RESULT], new Set());
  expect(linesOf(layout)).toEqual([
    ...['0', '1', 'schema_', '2', '3', '4'],
    ...['result_', '5', '6', '7', '8', '9'],
  ]);
  expect(layout.lineOf(3)).toBe(4);
  expect(layout.lineOf(9)).toBe(11);
  expect(layout.groupOf(9)).toBeNull();
  expect(layout.groupOf(8)).toBe(RESULT);
});

it('leaves of a folded group its heading', () => {
  const layout = new Layout(10, [SCHEMA, RESULT], new Set(['schema_']));
  expect(linesOf(layout)).toEqual(['0', '1', 'schema_', 'result_', '5', '6', '7', '8', '9']);
  expect(layout.lineOf(3)).toBe(2);
  expect(layout.lineOf(5)).toBe(4);
  expect(layout.itemFrom(2)).toBe(5);
});

it('has a line for each item where there are no groups', () => {
  const layout = new Layout(10_000, [], new Set());
  expect(layout.count).toBe(10_000);
  expect(layout.line(9_999)).toEqual({ kind: 'item', index: 9_999 });
  expect(layout.line(10_000)).toBeUndefined();
  expect(new Layout(0, [], new Set()).line(0)).toBeUndefined();
});

it('does without a group that reaches beyond the list', () => {
  expect(linesOf(new Layout(4, [SCHEMA], new Set()))).toEqual(['0', '1', '2', '3']);
});
