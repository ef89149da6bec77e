import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useValues } from './drafts';

it('keeps what was filled in while something else is shown', () => {
  const first = renderHook(() => useValues('server\nprompt\nreview'));
  act(() => first.result.current[1]({ code: 'let x' }));
  act(() => first.result.current[1]((before) => ({ ...before, style: 'kind' })));
  first.unmount();

  const other = renderHook(() => useValues('server\nprompt\nexplain'));
  expect(other.result.current[0]).toEqual({});

  const again = renderHook(() => useValues('server\nprompt\nreview'));
  expect(again.result.current[0]).toEqual({ code: 'let x', style: 'kind' });
});
