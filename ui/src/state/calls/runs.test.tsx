import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CallReport } from '@/backend/bindings';
import { MAX_RUNS, showRun, track, useRun, useRuns, useShownRun } from './runs';

const REPORT = { result: null, error: null } as unknown as CallReport;

const run = (id: string, key: string, input?: string) =>
  act(() => track(id, { key, input }, () => Promise.resolve(REPORT)));

test('the last runs are kept with their arguments, and the newest is shown', async () => {
  const { result } = renderHook(() => ({ all: useRuns('a'), shown: useShownRun('a') }));
  for (let count = 0; count < MAX_RUNS + 3; count += 1) await run('a', `a${count}`, `${count}`);
  expect(result.current.all.length).toBe(MAX_RUNS);
  expect(result.current.all[0]?.input).toBe('3');
  expect(result.current.shown?.key).toBe(`a${MAX_RUNS + 2}`);
  act(() => showRun('a', 'a5'));
  expect(result.current.shown?.input).toBe('5');
  await run('a', 'again');
  expect(result.current.shown?.key).toBe('again');
});

test('an answer that comes late goes to its own run', async () => {
  const { result } = renderHook(() => ({ all: useRuns('b'), last: useRun('b') }));
  let answer: (report: CallReport) => void = () => undefined;
  const slow = new Promise<CallReport>((resolve) => {
    answer = resolve;
  });
  let first: Promise<void> = Promise.resolve();
  act(() => {
    first = track('b', { key: 'slow' }, () => slow);
  });
  await run('b', 'fast');
  await act(async () => {
    answer(REPORT);
    await first;
  });
  expect(result.current.all.map(({ key, report }) => [key, report])).toEqual([
    ['slow', REPORT],
    ['fast', REPORT],
  ]);
  expect(result.current.last?.key).toBe('fast');
});
