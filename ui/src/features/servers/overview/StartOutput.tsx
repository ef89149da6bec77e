import { Section } from '@/components/Section';
import { visibleLines } from '@/lib/visible-text';
import styles from './overview.module.css';
import { OVERVIEW } from './texts';

/** The stderr of a server while it starts: a package runner says what it downloads. */
export function StartOutput({ lines }: { lines: readonly string[] }) {
  return (
    <Section title={OVERVIEW.output}>
      <pre className={styles.output} aria-live="off">
        {visibleLines(lines.join('\n'))}
      </pre>
    </Section>
  );
}
