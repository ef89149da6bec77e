import type { DefinitionChanges } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { CHANGED_SINCE, DEFINITION } from './texts';

interface Props {
  changes: DefinitionChanges | null;
  onShow(): void;
}

/** Says that a definition is another than before, and leads to what changed. */
export function ChangedNote({ changes, onShow }: Props) {
  if (!changes) return null;
  return (
    <p className="row wrap gap-2 busy" role="status">
      <span aria-hidden="true">●</span> {CHANGED_SINCE[changes.base]}{' '}
      <Button variant="quiet" onPress={onShow}>
        {DEFINITION.showChanges}
      </Button>
    </p>
  );
}
