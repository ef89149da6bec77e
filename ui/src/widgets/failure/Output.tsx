import { visibleLines } from '@/lib/visible-text';
import styles from './failure.module.css';

/** Lines that a program wrote, or that explain a failure; nothing without any. */
export function Output({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return <pre className={styles.output}>{visibleLines(lines.join('\n'))}</pre>;
}
