import { useState } from 'react';
import type { ModelClientView, Provider } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { useInClients } from '@/state/clients/in-clients';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { PROVIDERS, SENT } from '../texts';
import { Portability } from './Portability';
import { SentTools } from './SentTools';

type View = 'tools' | 'portability';

/** The tools as a model interface gets them, and the faults that they have on their way. */
export function SentSection({ scope }: { scope: ClientScope }) {
  const [view, setView] = useState<View>('tools');
  const { client } = scope;
  const provider = useInClients((state) => state.providers[client.client]) ?? client.provider;
  return (
    <div className="pane">
      <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
        <Segmented
          label={SENT.view}
          segments={[
            { value: 'tools', label: SENT.tools },
            { value: 'portability', label: SENT.portability },
          ]}
          value={view}
          onChange={setView}
        />
        {view === 'tools' && <ProviderChoice client={client} provider={provider} />}
      </div>
      <div className="fill">
        {view === 'tools' ? (
          <SentTools key={provider} scope={scope} provider={provider} />
        ) : (
          <Portability scope={scope} />
        )}
      </div>
    </div>
  );
}

function ProviderChoice({ client, provider }: { client: ModelClientView; provider: Provider }) {
  const choose = useInClients((state) => state.chooseProvider);
  return (
    <Select
      label={SENT.provider}
      hideLabel
      className={styles.provider}
      choices={PROVIDERS}
      value={provider}
      onChange={(next) => choose(client.client, next)}
    />
  );
}
