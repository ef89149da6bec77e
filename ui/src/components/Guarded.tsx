import { type ReactNode, useRef } from 'react';
import styles from './guarded.module.css';
import { useKeyGuard } from './use-key-guard';

/** Buttons that confirm something and appear by themselves: the first half second of keys is not for them. */
export function Guarded({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLSpanElement>(null);
  const guard = useKeyGuard(frame);
  return (
    <span
      ref={frame}
      className={styles.guarded}
      data-confirms
      onKeyDownCapture={guard.onKeyDownCapture}
    >
      {children}
    </span>
  );
}
