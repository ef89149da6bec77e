import { expect, test, vi } from 'vitest';
import type { ToolCall } from '@/backend/bindings';
import { HistoryRows } from './history-rows';

/** A record with so many calls, of which more can come. */
function recordOf(count: number) {
  const record = { count, failure: null as unknown };
  const load = vi.fn(async (offset: number, limit: number) => {
    if (record.failure !== null) throw record.failure;
    const calls = Array.from(
      { length: Math.max(0, Math.min(limit, record.count - offset)) },
      (_, index) => ({ id: record.count - offset - index }) as ToolCall,
    );
    return { calls, total: record.count, complete: true };
  });
  return { record, load };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

test('an empty history is asked for once, and again when the record changed', async () => {
  const { record, load } = recordOf(0);
  const rows = new HistoryRows(load, vi.fn());
  rows.open();
  await settled();
  expect([rows.isLoaded, rows.count, load.mock.calls.length]).toEqual([true, 0, 1]);
  rows.show(0, 10);
  await settled();
  expect(load).toHaveBeenCalledOnce();
  record.count = 2;
  rows.refresh();
  await settled();
  expect([rows.count, rows.row(0)?.id]).toEqual([2, 2]);
});

test('calls are loaded as far as they are seen', async () => {
  const { load } = recordOf(500);
  const rows = new HistoryRows(load, vi.fn());
  rows.open();
  rows.show(400, 420);
  await settled();
  expect(rows.count).toBe(500);
  expect(rows.row(400)?.id).toBe(100);
  expect(rows.row(200)).toBeUndefined();
});

test('a failure is told once, and the next change of the record asks again', async () => {
  const { record, load } = recordOf(3);
  const onFailure = vi.fn();
  record.failure = 'no disk';
  const rows = new HistoryRows(load, onFailure);
  rows.open();
  await settled();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith('no disk');
  record.failure = null;
  rows.refresh();
  await settled();
  expect(rows.count).toBe(3);
});
