import { expect, test, vi } from 'vitest';
import type { LineSource } from './use-lines';
import { LineCache } from './use-lines';

const LINES = 1_000_000;

function source() {
  const load = vi.fn(async (first: number, count: number) => ({
    lines: Array.from(
      { length: Math.min(count, LINES - first) },
      (_, index) => `line ${first + index}`,
    ),
    firstLine: first,
    numbers: Array.from({ length: count }, (_, index) => first + index + 1),
    totalLines: LINES,
    totalSize: LINES * 12,
  }));
  return { load, source: { key: 'text', load } satisfies LineSource };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('only the pages in view are asked for', async () => {
  const { load, source: lines } = source();
  const cache = new LineCache(lines, () => undefined);
  cache.want(500_010, 500_050);
  await settled();
  expect(load.mock.calls).toEqual([[500_000, 200]]);
  expect(cache.line(500_049)).toBe('line 500049');
  expect(cache.line(0)).toBeUndefined();
});

test('the page that is given is not asked for', async () => {
  const { load, source: lines } = source();
  const given = await load(0, 200);
  load.mockClear();
  const cache = new LineCache({ ...lines, given }, () => undefined);
  expect([cache.total, cache.line(199)]).toEqual([LINES, 'line 199']);
  cache.want(0, 200);
  await settled();
  expect(load.mock.calls).toEqual([[200, 200]]);
});

test('pages that were passed while scrolling fast are never asked for', async () => {
  const { load, source: lines } = source();
  const cache = new LineCache(lines, () => undefined);
  for (let line = 0; line < 100_000; line += 1000) cache.want(line, line + 40);
  await settled();
  expect(load.mock.calls.length).toBeLessThan(5);
  expect(cache.line(99_000)).toBe('line 99000');
});

test('what was read long ago is forgotten', async () => {
  const { source: lines } = source();
  const cache = new LineCache(lines, () => undefined);
  for (let line = 0; line < 20_000; line += 200) {
    cache.want(line, line + 40);
    await settled();
  }
  expect(cache.line(0)).toBeUndefined();
  expect(cache.line(19_800)).toBe('line 19800');
});
