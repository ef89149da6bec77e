import type { ComponentType } from 'react';
import { AskSection } from './ask/AskSection';
import { ChoiceSection } from './choice/ChoiceSection';
import { CostSection } from './cost/CostSection';
import { NamesSection } from './names/NamesSection';
import { RulesSection } from './rules/RulesSection';
import type { ClientScope } from './scope';
import { SentSection } from './sent/SentSection';
import { SECTION_TITLES } from './texts';

interface ModelSection {
  id: string;
  title: string;
  Content: ComponentType<{ scope: ClientScope }>;
  /** The lists without which it has nothing to show. */
  needs?: 'tools' | 'all';
}

/** The parts of what a client gets, in their order. A further one is one more line here. */
export const SECTIONS: readonly [ModelSection, ...ModelSection[]] = [
  { id: 'cost', title: SECTION_TITLES.cost, Content: CostSection, needs: 'tools' },
  { id: 'names', title: SECTION_TITLES.names, Content: NamesSection, needs: 'all' },
  { id: 'sent', title: SECTION_TITLES.sent, Content: SentSection, needs: 'tools' },
  { id: 'choice', title: SECTION_TITLES.choice, Content: ChoiceSection },
  { id: 'rules', title: SECTION_TITLES.rules, Content: RulesSection },
  { id: 'ask', title: SECTION_TITLES.ask, Content: AskSection, needs: 'tools' },
];
