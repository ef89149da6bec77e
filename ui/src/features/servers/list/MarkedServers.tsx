import { X } from 'lucide-react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { showError } from '@/state/notices';
import { canBeConnected } from '@/state/servers/connecting';
import { isAtRest } from '@/state/servers/obstacle';
import { useServers } from '@/state/servers/servers';
import styles from './sidebar.module.css';
import { MARKED } from './texts';

/** Connects or disconnects the servers that are selected together. */
export function MarkedServers({ ids, onClose }: { ids: readonly ServerId[]; onClose: () => void }) {
  const backend = useBackend();
  const servers = useServers((state) => state.servers).filter(({ id }) => ids.includes(id));
  const atRest = servers.filter(canBeConnected);
  const running = servers.filter((server) => !isAtRest(server));
  const connect = () => {
    for (const { id } of atRest) backend.connect(id).catch(showError);
  };
  const disconnect = () => {
    for (const { id } of running) backend.disconnect(id).catch(showError);
  };
  return (
    <section aria-label={MARKED.label} className={styles.marked}>
      <span>{MARKED.count(servers.length)}</span>
      <IconButton icon={X} label={MARKED.close} onPress={onClose} />
      <Button isDisabled={atRest.length === 0} onPress={connect}>
        {MARKED.connect}
      </Button>
      <Button isDisabled={running.length === 0} onPress={disconnect}>
        {MARKED.disconnect}
      </Button>
    </section>
  );
}
