import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { ItemView, ListChange } from '@/backend/bindings';
import { useLists } from '@/state/calls/lists';
import { stubBackend } from '@/test-support/backend';
import { useItem } from './use-item';

const SERVER = 'built-in:read';

function change(revision: number): ListChange {
  return {
    list: 'tools',
    state: { type: 'loading' },
    count: revision * 1_000,
    problems: 0,
    tokens: 10,
    freshFor: null,
    asOf: null,
    warning: null,
    revision,
    added: [],
    removed: [],
    changed: [],
  };
}

test('an item that says the same in another revision of its list stays the same object', async () => {
  let reads = 0;
  let json = '{"name":"echo"}';
  const backend = stubBackend({
    findItem: async () => 0,
    getItem: async () => {
      reads += 1;
      return { name: 'echo', json, tokens: 3, problem: null, lastArguments: null } as ItemView;
    },
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <BackendContext.Provider value={backend}>{children}</BackendContext.Provider>
  );
  await act(async () => useLists.getState().set(SERVER, change(1)));
  const { result } = renderHook(() => useItem(SERVER, 'tools', 'echo'), { wrapper });
  await act(async () => {});
  const first = result.current;
  expect(first.state).toBe('there');

  await act(async () => useLists.getState().set(SERVER, change(2)));
  expect(reads).toBe(2);
  expect(result.current).toBe(first);

  json = '{"name":"echo","title":"Echo"}';
  await act(async () => useLists.getState().set(SERVER, change(3)));
  expect(result.current).not.toBe(first);
});
