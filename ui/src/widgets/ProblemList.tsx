import type { Problem } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { entirelyVisible } from '@/lib/visible-text';
import styles from './problem-list.module.css';

interface ProblemListProps {
  problems: readonly Problem[];
  /** Goes to the place of one in the file that they are listed with. */
  onOpen?: (problem: Problem) => void;
}

/** The problems of a file or an entry, each with its place. */
export function ProblemList({ problems, onOpen }: ProblemListProps) {
  return (
    <ul className="stack gap-2 plain-list">
      {problems.map((problem) => (
        <li
          key={`${problem.line}:${problem.column}:${problem.message}`}
          className="row-baseline gap-4 selectable"
        >
          <span className={styles.glyph} data-severity={problem.severity} aria-hidden="true">
            {problem.severity === 'error' ? '✕' : '▲'}
          </span>
          <span>
            {entirelyVisible(problem.message)}{' '}
            {problem.file != null ? (
              <span className="remark">
                {entirelyVisible(problem.file)}, line {problem.line}, column {problem.column}
              </span>
            ) : onOpen ? (
              <Button variant="quiet" className={styles.open} onPress={() => onOpen(problem)}>
                Open line {problem.line}, column {problem.column}
              </Button>
            ) : (
              <span className="remark">
                Line {problem.line}, column {problem.column}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
