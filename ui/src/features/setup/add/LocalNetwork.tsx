import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AnnouncedServer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { RadioList } from '@/components/RadioList';
import { entirelyVisible } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import styles from './registry.module.css';
import { LOCAL } from './texts';

interface LocalNetworkProps {
  onChoose: (server: AnnouncedServer | null) => void;
}

/** The servers that are announced on the local network, once the user asks for them. */
export function LocalNetwork({ onChoose }: LocalNetworkProps) {
  const backend = useBackend();
  const [servers, setServers] = useState<readonly AnnouncedServer[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const look = async () => {
    setLooking(true);
    setChosen(null);
    onChoose(null);
    try {
      const found = await backend.discoverLocalServers();
      if (isOpen.current) setServers(found);
    } catch (reason) {
      showError(reason);
    } finally {
      setLooking(false);
    }
  };
  return (
    <div className="stack gap-4 min-w-0">
      <p className={styles.about}>{LOCAL.hint}</p>
      <div className="flex gap-4">
        <Button
          variant={servers === null ? 'primary' : 'plain'}
          isDisabled={isLooking}
          onPress={() => void look()}
        >
          {isLooking ? LOCAL.looking : servers === null ? LOCAL.look : LOCAL.again}
        </Button>
      </div>
      <p role="status" className="remark">
        {servers !== null && !isLooking && servers.length > 0 && LOCAL.count(servers.length)}
      </p>
      {servers !== null && !isLooking && servers.length > 0 && (
        <RadioList
          label={LOCAL.servers}
          choices={servers.map((server, index) => ({
            value: String(index),
            label: entirelyVisible(server.name),
            detail: entirelyVisible(placeOf(server)),
          }))}
          value={chosen}
          onChange={(index) => {
            setChosen(index);
            onChoose(servers[Number(index)] ?? null);
          }}
        />
      )}
      {servers !== null && !isLooking && servers.length === 0 && (
        <EmptyState title={LOCAL.none}>{LOCAL.noneHint}</EmptyState>
      )}
    </div>
  );
}

/** `mac.local:8080/mcp (192.0.2.7)` */
function placeOf({ host, port, path, addresses }: AnnouncedServer): string {
  return `${host}:${port}${path} (${addresses.join(', ')})`;
}
