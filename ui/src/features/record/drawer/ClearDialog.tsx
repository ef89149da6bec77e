import type { ServerId } from '@/backend/bindings';
import { Dialog } from '@/components/Dialog';
import { visibleText } from '@/lib/visible-text';
import { useRecording } from '@/state/record/recording';
import { CLEAR } from '../texts';

/** The messages that are removed: those of one server, or all. */
export interface Cleared {
  server: { id: ServerId; name: string } | null;
}

interface ClearDialogProps {
  cleared: Cleared;
  onClose: () => void;
  onClear: (cleared: Cleared) => void;
}

/** Asks before messages are removed from the record. */
export function ClearDialog({ cleared, onClose, onClear }: ClearDialogProps) {
  return (
    <Dialog
      title={CLEAR.title}
      isOpen
      onClose={onClose}
      action={{ label: CLEAR.clear, isDangerous: true, run: () => onClear(cleared) }}
    >
      {cleared.server ? <p>{CLEAR.ofServer(visibleText(cleared.server.name))}</p> : <AllMessages />}
    </Dialog>
  );
}

function AllMessages() {
  const frames = useRecording((state) => state.revision.frames);
  return <p>{CLEAR.meaning(frames)}</p>;
}
