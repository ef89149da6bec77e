import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AnnouncedServer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { RadioList } from '@/components/RadioList';
import { entirelyVisible } from '@/lib/visible-text';
import styles from './registry.module.css';
import { LOCAL } from './texts';
import { useAsked } from './use-asked';

/** The servers that are announced on the local network, once the user asks for them. */
export function LocalNetwork({ onChoose }: { onChoose: (server: AnnouncedServer | null) => void }) {
  const backend = useBackend();
  const [servers, setServers] = useState<readonly AnnouncedServer[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { isAsking, start } = useAsked(() => backend.discoverLocalServers(), setServers);
  const look = () => {
    setChosen(null);
    onChoose(null);
    start();
  };
  return (
    <div className="stack gap-4 min-w-0">
      <p className={styles.about}>{LOCAL.hint}</p>
      <div className="flex gap-4">
        <Button
          variant={servers === null ? 'primary' : 'plain'}
          isDisabled={isAsking}
          onPress={look}
        >
          {isAsking ? LOCAL.looking : servers === null ? LOCAL.look : LOCAL.again}
        </Button>
      </div>
      <p role="status" className="remark">
        {servers !== null && !isAsking && servers.length > 0 && LOCAL.count(servers.length)}
      </p>
      {servers !== null && !isAsking && servers.length > 0 && (
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
      {servers !== null && !isAsking && servers.length === 0 && (
        <EmptyState title={LOCAL.none}>{LOCAL.noneHint}</EmptyState>
      )}
    </div>
  );
}

/** `mac.local:8080/mcp (192.0.2.7)` */
function placeOf({ host, port, path, addresses }: AnnouncedServer): string {
  return `${host}:${port}${path} (${addresses.join(', ')})`;
}
