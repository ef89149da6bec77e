import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { showError } from '@/state/notices';
import { useSnapshot } from '@/state/snapshot';
import styles from './servers.module.css';
import { RESTART } from './texts';

/** Says that a server is started anew on a change of its source, and ends that. */
export function RestartNote({ server }: { server: ServerId }) {
  const backend = useBackend();
  const path = useSnapshot(
    ({ restarts }) => restarts.find((restart) => restart.server === server)?.path,
  );
  if (path === undefined) return null;
  return (
    <p className={styles.restart} role="status">
      <span className="grow truncate">{RESTART.watching(path)}</span>
      <Button
        variant="quiet"
        onPress={() => void backend.stopRestartOnChange(server).catch(showError)}
      >
        {RESTART.stop}
      </Button>
    </p>
  );
}
