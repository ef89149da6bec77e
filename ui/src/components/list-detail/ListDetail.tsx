import type { ReactNode } from 'react';
import { type PaneSize, SplitPane } from '@/components/SplitPane';
import styles from './list-detail.module.css';

interface Props {
  /** The name under which the ratio of the panes is remembered. */
  name: string;
  /** One for each child, in order: the list, and what is shown of the selected item. */
  panes: readonly PaneSize[];
  children: ReactNode;
}

/** The sizes of a list, of the arguments of what is chosen in it, and of what comes of a call. */
export const CALL_PANES = [
  { id: 'list', size: 290, min: 160, keepsPixels: true },
  { id: 'arguments', size: 380, min: 260, keepsPixels: true },
  { id: 'result', min: 260 },
] as const;

/**
 * The width below which the panes stand below each other, in pixels; the stylesheet says the same.
 */
const STACK_BELOW = 700;

/** A list and what belongs to its selected item. Stacked in a low window, the whole scrolls. */
export function ListDetail({ name, panes, children }: Props) {
  return (
    <div className={styles.frame}>
      <div className={styles.panes} data-panes={panes.length}>
        <SplitPane name={name} direction="row" panes={panes} stackBelow={STACK_BELOW}>
          {children}
        </SplitPane>
      </div>
    </div>
  );
}
