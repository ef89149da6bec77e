import type { DiffLine } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { entirelyVisibleLines } from '@/lib/visible-text';
import styles from './change.module.css';
import { CHANGE } from './texts';

/** Lines shown around a change. */
const CONTEXT = 3;

/** The lines of a file that change, with a few around them. */
export function DiffView({ diff, label }: { diff: readonly DiffLine[]; label: string }) {
  const hunks = hunksOf(diff);
  if (hunks.length === 0) return <p className="remark">{CHANGE.nothing}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
    <section aria-label={label} className={styles.diff} tabIndex={0}>
      {hunks.map((hunk) => (
        <div key={`${hunk[0]?.before}-${hunk[0]?.after}`} className={styles.hunk}>
          {hunk.map((line) => (
            <div
              key={`${line.before}-${line.after}`}
              className={classes(styles.line, styles[line.kind])}
            >
              <span className={styles.lineNumber}>{line.after ?? line.before}</span>
              <span className={styles.sign}>{SIGNS[line.kind]}</span>
              <span>{entirelyVisibleLines(line.text)}</span>
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}

const SIGNS = { kept: ' ', added: '+', removed: '−' };

/** The changed lines with a few around them. */
export function hunksOf(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  let end = -1;
  lines.forEach((line, index) => {
    if (line.kind === 'kept') return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + CONTEXT + 1);
    const current = hunks.at(-1);
    if (current && from <= end) current.push(...lines.slice(end, to));
    else hunks.push(lines.slice(from, to));
    end = to;
  });
  return hunks;
}
