import { type ReactNode, useId } from 'react';
import { Glyph } from './Glyph';
import styles from './problem-panel.module.css';

interface ProblemPanelProps {
  /** `bad` for what was tried and failed, `warn` for what stands before any try. */
  tone: 'bad' | 'warn';
  /** The reason, in the words of the sidebar and of the header. */
  title: string;
  /** Advice on it. */
  hint?: ReactNode;
  /** The lines that say it best, before what to do. */
  cause?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A problem that keeps a server from working: the reason, what to do, and the evidence. */
export function ProblemPanel({ tone, title, hint, cause, actions, children }: ProblemPanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="stack gap-5 pad-x-8 pad-y-7 edge-bottom surface-0">
      <h2 id={id} className="row-baseline gap-4 break-anywhere">
        <Glyph glyph={tone === 'bad' ? '✕' : '▲'} tone={tone} />
        {title}
      </h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {cause}
      {actions && <div className="flex wrap gap-4">{actions}</div>}
      {children}
    </section>
  );
}
