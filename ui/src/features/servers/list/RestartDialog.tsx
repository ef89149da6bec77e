import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { useClose } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { SourceDialog } from '@/widgets/SourceDialog';
import { RESTART } from './texts';

/** Asks for the source whose changes start a server anew. */
export function RestartDialog({ server }: { server: ServerId }) {
  const backend = useBackend();
  const close = useClose();
  return (
    <SourceDialog
      title={RESTART.title}
      meaning={RESTART.meaning}
      verb={RESTART.start}
      onClose={close}
      onStart={(path) => void backend.startRestartOnChange(server, path).then(close, showError)}
    />
  );
}
