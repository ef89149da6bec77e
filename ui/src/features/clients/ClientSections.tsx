import type { ReactNode } from 'react';
import type { ModelClientView, ServerView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { type ClientSubject, useInClients } from '@/state/clients/in-clients';
import { Connected } from './Connected';
import styles from './clients.module.css';
import { useScope } from './scope';
import { SECTIONS } from './sections';
import { MODEL } from './texts';

interface ClientSectionsProps {
  subject: ClientSubject;
  client: ModelClientView;
  servers: readonly ServerView[];
  /** Stand before and behind the choice of the section. */
  lead?: ReactNode;
  children?: ReactNode;
}

/** The section that is shown of what a client gets. */
export function ClientSections({ subject, client, servers, lead, children }: ClientSectionsProps) {
  const scope = useScope(subject, client, servers);
  const chosen = useInClients((state) => state.section);
  const showSection = useInClients((state) => state.showSection);
  const section = SECTIONS.find(({ id }) => id === chosen) ?? SECTIONS[0];
  const { Content, needs } = section;
  const content = <Content key={`${subject} ${client.client}`} scope={scope} />;
  return (
    <div className={styles.sections}>
      <div className="bar wrap gap-4 min-w-0 min-h-bar pad-x-5 pad-y-2">
        {lead}
        <Segmented
          label={MODEL.sections}
          segments={SECTIONS.map(({ id, title }) => ({ value: id, label: title }))}
          value={section.id}
          onChange={showSection}
        />
        {children}
      </div>
      <div className="fill">
        {needs ? (
          <Connected scope={scope} takesAll={needs === 'all'}>
            {content}
          </Connected>
        ) : (
          content
        )}
      </div>
    </div>
  );
}
