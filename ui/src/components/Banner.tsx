import type { ReactNode } from 'react';
import styles from './banner.module.css';

interface BannerProps {
  tone: 'warn' | 'bad';
  /** A button or two. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A warning across the width of a pane or of the window. */
export function Banner({ tone, actions, children }: BannerProps) {
  return (
    <div role="alert" className={styles.banner} data-tone={tone}>
      <span className={styles.glyph} aria-hidden="true">
        {tone === 'warn' ? '▲' : '✕'}
      </span>
      <div className="grow">{children}</div>
      {actions}
    </div>
  );
}
