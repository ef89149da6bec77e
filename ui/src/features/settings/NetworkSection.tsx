import { useState } from 'react';
import type { NetworkSettings } from '@/backend/bindings';
import { TextField } from '@/components/TextField';
import { Group } from './Parts';
import { PathField } from './PathField';
import styles from './settings.module.css';
import { NETWORK } from './texts';

interface NetworkSectionProps {
  network: NetworkSettings;
  onSave: (network: NetworkSettings) => void;
}

/** The proxy and the certificate authorities for all servers. Saved when a field is left. */
export function NetworkSection({ network, onSave }: NetworkSectionProps) {
  const [draft, setDraft] = useState(network);
  const commit = (next: NetworkSettings = draft) => {
    if (JSON.stringify(next) !== JSON.stringify(network)) onSave(next);
  };
  return (
    <Group title={NETWORK.title}>
      <div className={styles.numbers}>
        <TextField
          label={NETWORK.proxy}
          mono
          placeholder={NETWORK.environment}
          value={draft.proxy}
          onChange={(proxy) => setDraft({ ...draft, proxy })}
          onBlur={() => commit()}
        />
        <TextField
          label={NETWORK.exceptions}
          mono
          placeholder="localhost, .example.com"
          isDisabled={draft.proxy.trim() === ''}
          value={draft.noProxy}
          onChange={(noProxy) => setDraft({ ...draft, noProxy })}
          onBlur={() => commit()}
        />
      </div>
      <PathField
        label={NETWORK.authorities}
        placeholder={NETWORK.ofSystem}
        value={draft.caFile}
        onChange={(caFile) => setDraft({ ...draft, caFile })}
        onCommit={(caFile) => commit({ ...draft, caFile })}
      />
      <p className="remark">{NETWORK.meaning}</p>
    </Group>
  );
}
