import { useState } from 'react';
import type { Target } from '@/backend/bindings';
import { TextField } from '@/components/TextField';
import { showRenamed } from '@/state/setup/setup-view';
import { ChangeDialog } from './ChangeDialog';
import { RENAME } from './texts';

/** Gives a server another name in one file. */
export function RenameDialog({ target, name }: { target: Target; name: string }) {
  const [text, setText] = useState(name);
  const wanted = text.trim();
  return (
    <ChangeDialog
      title={RENAME.title(name)}
      verb={RENAME.verb}
      action={
        wanted === '' || wanted === name ? null : { type: 'rename', target, name, newName: wanted }
      }
      placeholder={RENAME.hint}
      onApplied={() => showRenamed(target.client, wanted)}
    >
      <TextField label={RENAME.name} autoFocus value={text} onChange={setText} />
    </ChangeDialog>
  );
}
