import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useAsyncEffect } from './use-async-effect';

/** A hook whose work for each key ends when the test says so. */
function started(delay?: number) {
  const pending = new Map<
    string,
    { resolve(value: string): void; reject(reason: unknown): void }
  >();
  const onValue = vi.fn();
  const onError = vi.fn();
  const start = (key: string) =>
    new Promise<string>((resolve, reject) => pending.set(key, { resolve, reject }));
  const hook = renderHook(
    ({ key }) =>
      useAsyncEffect(
        () => (key === '' ? null : { start: () => start(key), onValue, onError, delay }),
        [key],
      ),
    { initialProps: { key: 'first' } },
  );
  return { ...hook, pending, onValue, onError };
}

test('an outcome that is outdated is dropped', async () => {
  const { rerender, pending, onValue, onError } = started();
  rerender({ key: 'second' });
  rerender({ key: 'third' });
  await act(async () => {
    pending.get('first')?.resolve('1');
    pending.get('second')?.reject(new Error('2'));
    pending.get('third')?.resolve('3');
  });
  expect(onValue.mock.calls).toEqual([['3']]);
  expect(onError).not.toHaveBeenCalled();
});

test('nothing is told to a component that is gone', async () => {
  const { unmount, pending, onValue } = started();
  unmount();
  await act(async () => pending.get('first')?.resolve('1'));
  expect(onValue).not.toHaveBeenCalled();
});

test('a failure is told once, and nothing is started without work', async () => {
  const { rerender, pending, onError } = started();
  await act(async () => pending.get('first')?.reject('full'));
  rerender({ key: '' });
  expect(onError.mock.calls).toEqual([['full']]);
  expect(pending.size).toBe(1);
});

test('what follows typing starts once that rests', () => {
  vi.useFakeTimers();
  const { rerender, pending } = started(150);
  vi.advanceTimersByTime(100);
  rerender({ key: 'second' });
  vi.advanceTimersByTime(150);
  expect([...pending.keys()]).toEqual(['second']);
  vi.useRealTimers();
});
