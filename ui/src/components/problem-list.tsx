import type { Problem } from '@/backend/bindings';
import styles from './problem-list.module.css';

/** What is wrong with a file or an entry, each with its place. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  return (
    <ul className={styles.list}>
      {problems.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.message}`} className={styles.problem}>
          <span className={styles.glyph} data-severity={problem.severity} aria-hidden="true">
            {problem.severity === 'error' ? '✕' : '▲'}
          </span>
          <span>
            {problem.message}{' '}
            <span className={styles.place}>
              Line {problem.line}, column {problem.column}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
