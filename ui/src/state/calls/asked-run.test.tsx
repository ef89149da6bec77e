import { fireEvent, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { canRun, runAction } from '@/state/actions';
import { useAskedRun, useRunOnceThere } from './asked-run';

/** The tab of the item while that is loaded. */
function load() {
  return renderHook(
    ({ id, state }: { id: string; state: Parameters<typeof useRunOnceThere>[1] }) =>
      useRunOnceThere(id, state),
    { initialProps: { id: 'echo', state: 'loading' } },
  );
}

/** The item is there; returns what runs it. */
function arrives() {
  const run = vi.fn();
  renderHook(() => useAskedRun('echo', run)).unmount();
  return run;
}

test('a run that is asked for while its item is loaded begins once that is there', () => {
  const loading = load();
  runAction('call.run');
  loading.rerender({ id: 'echo', state: 'there' });
  expect(canRun('call.run')).toBe(false);
  const run = vi.fn();
  renderHook(() => useAskedRun('echo', run));
  renderHook(() => useAskedRun('echo', run));
  expect(run).toHaveBeenCalledOnce();
});

test('it is forgotten when another item is chosen', () => {
  const loading = load();
  runAction('call.run');
  loading.rerender({ id: 'add', state: 'loading' });
  expect(arrives()).not.toHaveBeenCalled();
});

describe('a server that lists the item later than it was asked for runs nothing', () => {
  afterEach(() => vi.useRealTimers());

  it.each(['gone', 'failed'] as const)('after the item was %s', (state) => {
    const loading = load();
    runAction('call.run');
    loading.rerender({ id: 'echo', state });
    loading.rerender({ id: 'echo', state: 'there' });
    expect(arrives()).not.toHaveBeenCalled();
  });

  it('after a few seconds', () => {
    vi.useFakeTimers();
    load();
    runAction('call.run');
    vi.advanceTimersByTime(10_000);
    expect(arrives()).not.toHaveBeenCalled();
  });

  it('after the next key or press of the pointer', () => {
    load();
    for (const next of [fireEvent.keyDown, fireEvent.pointerDown]) {
      runAction('call.run');
      next(document.body);
      expect(arrives()).not.toHaveBeenCalled();
    }
    // The key that asked is still held.
    runAction('call.run');
    fireEvent.keyDown(document.body, { key: 'Enter', repeat: true });
    expect(arrives()).toHaveBeenCalledOnce();
  });
});
