import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  /** The facts that help, or the next step. */
  children?: ReactNode;
  /** At most one primary action. */
  action?: ReactNode;
}

/** The text of a pane that has nothing to show. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className="semibold">{title}</p>
      {children && <div className="remark">{children}</div>}
      {action && <div className="flex wrap gap-4 mt-5">{action}</div>}
    </div>
  );
}
