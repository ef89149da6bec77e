import type { ModelClientView, ServerView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { type ModelSubject, useModel } from '@/state/clients/model';
import styles from './model.module.css';
import { useScope } from './scope';
import { SECTIONS } from './sections';
import { MODEL } from './texts';

interface ModelSectionsProps {
  subject: ModelSubject;
  client: ModelClientView;
  clients: readonly ModelClientView[];
  servers: readonly ServerView[];
}

/** The client whose model is looked through, and the section that is shown of it. */
export function ModelSections({ subject, client, clients, servers }: ModelSectionsProps) {
  const scope = useScope(subject, client, servers);
  const chooseClient = useModel((state) => state.chooseClient);
  const chosen = useModel((state) => state.section);
  const showSection = useModel((state) => state.showSection);
  const section = SECTIONS.find(({ id }) => id === chosen) ?? SECTIONS[0];
  const Content = section.Content;
  return (
    <div className={styles.sections}>
      <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
        <Select
          label={MODEL.client}
          hideLabel
          className={styles.client}
          choices={clients.map(({ client: value, title }) => ({ value, label: title }))}
          value={client.client}
          onChange={(next) => chooseClient(subject, next)}
        />
        <Segmented
          label={MODEL.sections}
          segments={SECTIONS.map(({ id, title }) => ({ value: id, label: title }))}
          value={section.id}
          onChange={showSection}
        />
      </div>
      <div className="fill">
        <Content key={`${subject} ${client.client}`} scope={scope} />
      </div>
    </div>
  );
}
