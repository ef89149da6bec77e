import type { ReactNode } from 'react';
import type { Verdict } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import styles from './findings.module.css';
import { VERDICTS } from './texts';

interface FindingRowProps {
  verdict: Verdict;
  /** False where the verdict decides nothing. */
  counts?: boolean;
  /** Stands at the end: a duration, buttons. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A row of a list of findings: the verdict, and the words for it. */
export function FindingRow({ verdict, counts = true, aside, children }: FindingRowProps) {
  const { glyph, tone, label } = VERDICTS[verdict];
  return (
    <li className={styles.row} data-verdict={counts ? verdict : 'skipped'}>
      <Glyph glyph={glyph} tone={counts ? tone : 'idle'} />
      <span className={styles.verdict}>{label}</span>
      <div className="grow min-w-0 break-anywhere selectable">{children}</div>
      <div className="row-baseline flex-none gap-3 figures">{aside}</div>
    </li>
  );
}
