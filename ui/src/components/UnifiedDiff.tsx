import { visibleLines } from '@/lib/visible-text';
import styles from './unified-diff.module.css';

interface UnifiedDiffProps {
  /** Its accessible name. */
  label: string;
  /** A unified diff: expected lines with `-`, actual ones with `+`. */
  text: string;
}

/** The difference of two texts, line by line. */
export function UnifiedDiff({ label, text }: UnifiedDiffProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {text
        .trimEnd()
        .split('\n')
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
          <span key={index} data-side={sideOf(line)}>
            {visibleLines(line)}
            {'\n'}
          </span>
        ))}
    </section>
  );
}

function sideOf(line: string): 'head' | 'expected' | 'actual' | undefined {
  if (/^(---|\+\+\+|@@)/.test(line)) return 'head';
  if (line.startsWith('-')) return 'expected';
  return line.startsWith('+') ? 'actual' : undefined;
}
