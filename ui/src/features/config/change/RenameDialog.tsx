import { useState } from 'react';
import type { Target } from '@/backend/bindings';
import { TextField } from '@/components/TextField';
import { showServerConfig } from '@/state/config-view';
import { ChangeDialog } from './ChangeDialog';

/** Gives a server another name in one file. */
export function RenameDialog({ target, name }: { target: Target; name: string }) {
  const [text, setText] = useState(name);
  const wanted = text.trim();
  return (
    <ChangeDialog
      title={`Rename ${name}`}
      verb="Rename"
      action={
        wanted === '' || wanted === name ? null : { kind: 'rename', target, name, new_name: wanted }
      }
      placeholder="Enter another name; the change shows here before it is written."
      onApplied={() => showServerConfig(target.client, wanted)}
    >
      <TextField label="New name" autoFocus value={text} onChange={setText} />
    </ChangeDialog>
  );
}
