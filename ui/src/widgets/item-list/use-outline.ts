import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ListChange, ListKind, ListOutline, ServerId } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';

const NOTHING: ListOutline = { prefix: '', groups: [] };

/**
 * Returns what the names of a list have in common, once it is loaded. While it is loaded again, the
 * last outline stays.
 */
export function useOutline(
  server: ServerId,
  list: ListKind,
  change: ListChange | undefined,
): ListOutline {
  const backend = useBackend();
  const key = `${server}\n${list}`;
  const [found, setFound] = useState({ key, outline: NOTHING });
  const isLoaded = change !== undefined && change.state.type !== 'loading';
  const revision = change?.revision ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is read again.
  useAsyncEffect(
    () =>
      isLoaded
        ? {
            start: () => backend.getListOutline(server, list),
            onValue: (outline) => setFound({ key, outline }),
          }
        : null,
    [backend, server, list, key, isLoaded, revision],
  );
  return found.key === key ? found.outline : NOTHING;
}
