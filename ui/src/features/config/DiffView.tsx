import type { DiffLine, PlannedView } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { ProblemList } from '@/components/problem-list';
import styles from './config.module.css';

/** Lines shown around a change. */
const CONTEXT = 3;

/** What a change would do to a file, before it is written. */
export function DiffView({ plan }: { plan: PlannedView }) {
  return (
    <section aria-label="Change" className={styles.plan}>
      <h3 className={styles.planTitle}>
        {plan.creates_file ? 'Creates' : 'Changes'} <code>{plan.path}</code>
      </h3>
      <pre className={styles.diff}>
        {hunksOf(plan.diff).map((hunk) => (
          <div key={`${hunk[0]?.before}-${hunk[0]?.after}`} className={styles.hunk}>
            {hunk.map((line) => (
              <div
                key={`${line.before}-${line.after}`}
                className={classes(styles.line, styles[line.kind])}
              >
                <span className={styles.lineNumber}>{line.after ?? line.before}</span>
                <span className={styles.sign}>{SIGNS[line.kind]}</span>
                {line.text}
              </div>
            ))}
          </div>
        ))}
      </pre>
      {plan.remaining_problems.length > 0 && (
        <>
          <p>Even then, some clients cannot read this file:</p>
          <ProblemList problems={plan.remaining_problems} />
        </>
      )}
    </section>
  );
}

const SIGNS = { kept: ' ', added: '+', removed: '−' };

/** The changed lines with a few around them. */
export function hunksOf(lines: readonly DiffLine[]): DiffLine[][] {
  const near = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
      .some((line) => line.kind !== 'kept'),
  );
  const hunks: DiffLine[][] = [];
  lines.forEach((line, index) => {
    if (!near[index]) return;
    if (!near[index - 1]) hunks.push([]);
    hunks.at(-1)?.push(line);
  });
  return hunks;
}
