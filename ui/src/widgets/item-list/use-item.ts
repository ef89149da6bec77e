import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemView, ListKind, ServerId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useList } from '@/state/lists';

export type ItemState =
  | { state: 'none' }
  | { state: 'loading'; name: string }
  | { state: 'gone'; name: string }
  | { state: 'failed'; name: string; message: string }
  | { state: 'there'; name: string; item: ItemView };

/** One item by its name, again whenever its list changes. */
export function useItem(server: ServerId, list: ListKind, name: string | null): ItemState {
  const backend = useBackend();
  const revision = useList(server, list)?.revision ?? 0;
  const [found, setFound] = useState<{ key: string; state: ItemState }>();
  const key = `${server}\n${list}\n${name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is read again.
  useEffect(() => {
    if (name === null) return;
    let isCurrent = true;
    const settle = (state: ItemState) => {
      if (isCurrent) setFound({ key, state });
    };
    const load = async () => {
      try {
        const index = await backend.findItem(server, list, name);
        if (index === null) return settle({ state: 'gone', name });
        const item = await backend.item(server, list, index);
        settle({ state: 'there', name, item });
      } catch (reason) {
        settle({ state: 'failed', name, message: asCommandError(reason).message });
      }
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [backend, server, list, name, key, revision]);
  if (name === null) return { state: 'none' };
  return found?.key === key ? found.state : { state: 'loading', name };
}
