import type { ComponentType, ReactNode } from 'react';
import type { ModelClientView, ServerView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { type ClientSubject, useInClients } from '@/state/clients/in-clients';
import { AskSection } from './ask/AskSection';
import { Connected } from './Connected';
import { ChoiceSection } from './choice/ChoiceSection';
import styles from './clients.module.css';
import { CostSection } from './cost/CostSection';
import { NamesSection } from './names/NamesSection';
import { RulesSection } from './rules/RulesSection';
import { type ClientScope, useScope } from './scope';
import { SentSection } from './sent/SentSection';
import { MODEL, SECTION_TITLES } from './texts';

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

interface ModelSection {
  id: string;
  title: string;
  Content: ComponentType<{ scope: ClientScope }>;
  /** The lists without which it has nothing to show. */
  needs?: 'tools' | 'all';
}

/** The parts of what a client gets, in their order. A further one is one more line here. */
const SECTIONS: readonly [ModelSection, ...ModelSection[]] = [
  { id: 'cost', title: SECTION_TITLES.cost, Content: CostSection, needs: 'tools' },
  { id: 'names', title: SECTION_TITLES.names, Content: NamesSection, needs: 'all' },
  { id: 'sent', title: SECTION_TITLES.sent, Content: SentSection, needs: 'tools' },
  { id: 'choice', title: SECTION_TITLES.choice, Content: ChoiceSection },
  { id: 'rules', title: SECTION_TITLES.rules, Content: RulesSection },
  { id: 'ask', title: SECTION_TITLES.ask, Content: AskSection, needs: 'tools' },
];
