import type { ReactNode } from 'react';
import { ListDetail } from '@/components/list-detail/ListDetail';
import styles from './clients.module.css';

const PANES = [
  { id: 'list', min: 320 },
  { id: 'side', size: 340, min: 240, keepsPixels: true },
] as const;

interface ListPageProps {
  /** The name under which the sizes of the panes are remembered. */
  name: string;
  side: ReactNode;
  children: ReactNode;
}

/** A list, and beside it what is said of it and of its selected row. */
export function ListPage({ name, side, children }: ListPageProps) {
  return (
    <ListDetail name={name} panes={PANES}>
      <div className="pane">{children}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className={styles.side} tabIndex={0}>
        {side}
      </div>
    </ListDetail>
  );
}
