import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { DefinitionChanges, ItemView, ListKind, ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { ToggleButton } from '@/components/ToggleButton';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useShowsDefinition } from '@/state/calls/asked-definition';
import { useSurfaces } from '@/state/checks/surfaces';
import { DefinitionView } from './DefinitionView';
import { CHANGED_SINCE, DEFINITION } from './texts';

/**
 * The definition of an item, as its detail shows it: the button that shows and hides it, the
 * definition while it is shown, and meanwhile a note where it is another than before.
 */
export function useDefinition(
  server: ServerId,
  list: ListKind,
  name: string,
  item: ItemView | undefined,
) {
  const [isShown, setShown] = useShowsDefinition(server, list, name);
  const changes = useDefinitionChanges(server, list, item);
  return {
    hide: () => setShown(false),
    button: item && (
      <ToggleButton isSelected={isShown} onChange={setShown}>
        {DEFINITION.show}
      </ToggleButton>
    ),
    view: isShown && item && <DefinitionView json={item.json} changes={changes} />,
    note: !isShown && changes && <ChangedNote changes={changes} onShow={() => setShown(true)} />,
  };
}

/** Changes of a definition; null where nothing did, or nothing is kept to compare it with. */
function useDefinitionChanges(
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

/** Says that a definition is another than before, and leads to what changed. */
function ChangedNote({ changes, onShow }: { changes: DefinitionChanges; onShow(): void }) {
  return (
    <p className="row wrap gap-2 busy" role="status">
      <span aria-hidden="true">●</span> {CHANGED_SINCE[changes.base]}{' '}
      <Button variant="quiet" onPress={onShow}>
        {DEFINITION.showChanges}
      </Button>
    </p>
  );
}
