import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useList } from '@/state/calls/lists';

/** Tools that a list to choose from holds. */
const MAX_NAMES = 1000;

/** Returns the names of a connected server's tools; none while they are not known. */
export function useToolNames(server: ServerView | undefined): readonly string[] {
  const backend = useBackend();
  const id = server?.id ?? '';
  const phase = server?.status.phase;
  const revision = useList(id, 'tools')?.revision ?? 0;
  const isReady = phase === 'ready' || phase === 'executing';
  const [names, setNames] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer list has other names.
  useAsyncEffect(
    () =>
      isReady
        ? {
            start: async () => {
              const { rows } = await backend.listItems(id, 'tools', '', 0, MAX_NAMES);
              return rows.map(({ name }) => name);
            },
            onValue: setNames,
            // Without a list the name is typed.
            onError: () => setNames([]),
          }
        : null,
    [backend, id, revision, isReady],
  );
  return isReady ? names : [];
}
