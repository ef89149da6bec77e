import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { DefinitionChanges, ItemView, ListKind, ServerId } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useSurfaces } from '@/state/checks/surfaces';

/** Changes of a definition; null where nothing did, or nothing is kept to compare it with. */
export function useDefinitionChanges(
  server: ServerId,
  list: ListKind,
  item: ItemView | undefined,
): DefinitionChanges | null {
  const backend = useBackend();
  const [changes, setChanges] = useState<DefinitionChanges | null>(null);
  // Accepting a surface changes what it is compared with.
  const revision = useSurfaces((state) => state.revisions[server] ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or surface is compared anew.
  useAsyncEffect(() => {
    if (!item) {
      setChanges(null);
      return null;
    }
    return {
      start: () => backend.getDefinitionChanges(server, list, item.index),
      onValue: setChanges,
      // It has left the list meanwhile, which the list says.
      onError: () => setChanges(null),
    };
  }, [backend, server, list, item, revision]);
  return changes;
}
