import { useState } from 'react';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';

interface SourceDialogProps {
  title: string;
  /** Says what each change of the source does. */
  meaning: string;
  /** The word on the button that begins it. */
  verb: string;
  onClose: () => void;
  onStart: (path: string) => void;
}

/** Asks for the source of a server, whose changes do something from then on. */
export function SourceDialog({ title, meaning, verb, onClose, onStart }: SourceDialogProps) {
  const [path, setPath] = useState('.');
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      action={{ label: verb, isDisabled: path.trim() === '', run: () => onStart(path) }}
    >
      <div className="stack gap-6">
        <p className="break-anywhere text-data remark">{meaning}</p>
        <TextField
          label="Source of the server"
          description="A file or a folder; a relative path begins in the project."
          mono
          autoFocus
          value={path}
          onChange={setPath}
        />
      </div>
    </Dialog>
  );
}
