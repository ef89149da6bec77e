import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { canRun, runAction } from '@/state/actions';
import { useAskedRun, useRunOnceThere } from './asked-run';

test('a run that is asked for while its item is loaded begins once that is there', () => {
  const loading = renderHook(({ id, isLoading }) => useRunOnceThere(id, isLoading), {
    initialProps: { id: 'echo', isLoading: true },
  });
  runAction('call.run');
  loading.rerender({ id: 'echo', isLoading: false });
  expect(canRun('call.run')).toBe(false);
  const run = vi.fn();
  renderHook(() => useAskedRun('echo', run));
  renderHook(() => useAskedRun('echo', run));
  expect(run).toHaveBeenCalledOnce();
});

test('it is forgotten when another item is chosen', () => {
  const loading = renderHook(({ id }) => useRunOnceThere(id, true), {
    initialProps: { id: 'echo' },
  });
  runAction('call.run');
  loading.rerender({ id: 'add' });
  const run = vi.fn();
  renderHook(() => useAskedRun('echo', run));
  expect(run).not.toHaveBeenCalled();
});
