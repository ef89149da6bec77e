import { expect, test } from 'vitest';
import { MAX_ROWS, scrolledRows, topLine } from './LineView';

test('a text that fits has one row for each line', () => {
  expect(scrolledRows(1000)).toBe(1000);
  expect(topLine(1000, 37, 20)).toBe(37);
});

test('a longer text begins at its first and ends at its last line', () => {
  const lines = 5_000_000;
  const visible = 40;
  expect(scrolledRows(lines)).toBe(MAX_ROWS);
  expect(topLine(lines, 0, visible)).toBe(0);
  expect(topLine(lines, MAX_ROWS - visible, visible)).toBe(lines - visible);
});
