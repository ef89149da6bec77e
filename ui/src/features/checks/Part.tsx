import type { ReactNode } from 'react';
import type { ServerView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import type { CheckPart } from '@/state/checks/checks';
import type { Judgement } from '@/state/checks/verdict';
import { PART_TITLES } from './texts';

/** The server and its judgement, from which each part is drawn. */
export interface PaneProps {
  server: ServerView;
  judgement: Judgement;
}

interface PartProps {
  part: CheckPart;
  judgement: Judgement;
  /** Buttons. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** A part of the checks: how it went, and what that rests on. */
export function Part({ part, judgement, aside, children }: PartProps) {
  return (
    <Section title={PART_TITLES[part]} aside={aside}>
      <p role="status" className="figures selectable">
        {judgement.words}
      </p>
      {children}
    </Section>
  );
}
