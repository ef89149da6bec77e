import { startTransition, useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemView, ListKind, ServerId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { shared } from '@/lib/shared';
import { useList } from '@/state/calls/lists';

export type ItemState =
  | { state: 'none' }
  | { state: 'loading'; name: string }
  | { state: 'gone'; name: string }
  | { state: 'failed'; name: string; message: string }
  | { state: 'there'; name: string; item: ItemView };

/** Milliseconds for which an item that is not in its list any more is still shown. */
const GONE_DELAY = 400;

/** One item by its name, again whenever its list changes. While that is loaded, none is gone. */
export function useItem(server: ServerId, list: ListKind, name: string | null): ItemState {
  const backend = useBackend();
  const change = useList(server, list);
  const revision = change?.revision ?? 0;
  const isLoading = change?.state.type === 'loading';
  const [found, setFound] = useState<{ key: string; state: ItemState }>();
  const key = `${server}\n${list}\n${name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is read again.
  useAsyncEffect(
    () =>
      name === null
        ? null
        : {
            start: async (): Promise<ItemState | null> => {
              const index = await backend.findItem(server, list, name);
              if (index === null) {
                if (isLoading) return null;
                // The list may have been emptied a moment ago, to be loaded again.
                await new Promise((resolve) => setTimeout(resolve, GONE_DELAY));
                return { state: 'gone', name };
              }
              return { state: 'there', name, item: await backend.getItem(server, list, index) };
            },
            onValue: (state) => {
              if (!state) return;
              // What shows an item may be a form of many fields: it is drawn in pieces, and not
              // again for an item that says the same. A list that is read has ten revisions a second.
              startTransition(() => setFound((before) => shared(before, { key, state })));
            },
            onError: (reason) => {
              const { message } = asCommandError(reason);
              setFound({ key, state: { state: 'failed', name, message } });
            },
          },
    [backend, server, list, name, key, revision, isLoading],
  );
  if (name === null) return { state: 'none' };
  return found?.key === key ? found.state : { state: 'loading', name };
}

/** Milliseconds for which a choice has to stand: who passes several wants the last. */
const CHOICE_DELAY = 250;

/**
 * Starts what is harmless for an item once the user has chosen it, and not while the list is
 * walked. For a component of which there is one for each item.
 */
export function useStartOnChoice(isChosen: boolean, start: () => void): void {
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (!isChosen) return;
    const timer = setTimeout(() => latest.current(), CHOICE_DELAY);
    return () => clearTimeout(timer);
  }, [isChosen]);
}
