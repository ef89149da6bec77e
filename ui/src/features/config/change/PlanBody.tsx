import type { CommandError, PlanView } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { ProblemList } from '@/widgets/ProblemList';
import styles from './change.module.css';
import { DiffView } from './DiffView';
import { CHANGE } from './texts';

interface PlanBodyProps {
  plan: PlanView | null;
  problem: CommandError | null;
  /** Stands here while nothing is planned yet. */
  placeholder?: string;
}

/** Exactly what a change does, before it is written: what is lost first, then every line. */
export function PlanBody({ plan, problem, placeholder }: PlanBodyProps) {
  if (problem) {
    return (
      <p role="alert" className={styles.problem}>
        <span aria-hidden="true">✕ </span>
        {problem.message} {problem.hint}
      </p>
    );
  }
  if (!plan) return placeholder ? <p className={styles.remark}>{placeholder}</p> : null;
  const ends = endsOf(plan);
  return (
    <div className={styles.plan}>
      {plan.lost.length > 0 && (
        <div className={styles.lost} role="note">
          <p>
            <span aria-hidden="true">▲ </span>
            {CHANGE.lost}
          </p>
          <ul>
            {plan.lost.map((lost) => (
              <li key={`${lost.server} ${lost.field}`}>
                <b>{lost.server}</b> <code>{lost.field}</code> {lost.reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {ends !== null && (
        <p className={styles.warning}>
          <span aria-hidden="true">▲ </span>
          {ends}
        </p>
      )}
      {plan.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          <span aria-hidden="true">▲ </span>
          {warning}
        </p>
      ))}
      {plan.files.map((file) => (
        <div key={file.path} className={styles.file}>
          <h3 className={styles.fileTitle}>
            {file.creates ? CHANGE.creates : file.deletes ? CHANGE.deletes : CHANGE.changes}{' '}
            <code title={file.path}>{file.label}</code>
            <Counts diff={file.diff} />
          </h3>
          {file.outside !== null && (
            <p className={styles.warning}>
              <span aria-hidden="true">▲ </span>
              {CHANGE.leaves[0]}
              <code>{file.outside}</code>
              {CHANGE.leaves[1]}
            </p>
          )}
          <DiffView diff={file.diff} label={CHANGE.diffOf(file.label)} />
          {file.remaining_problems.length > 0 && (
            <>
              <p className={styles.remark}>{CHANGE.remaining}</p>
              <ProblemList problems={file.remaining_problems} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}

/** A sentence about the connections and the files that a plan ends; null where it ends none. */
function endsOf({ disconnects, files }: PlanView): string | null {
  const deleted = files.filter(({ deletes }) => deletes).map(({ label }) => label);
  const ends = [
    ...(disconnects.length > 0 ? [CHANGE.disconnects(disconnects.map(visibleText))] : []),
    ...(deleted.length > 0 ? [CHANGE.deletesFiles(deleted.map(visibleText))] : []),
  ];
  return ends.length > 0 ? CHANGE.ends(ends) : null;
}

function Counts({ diff }: { diff: PlanView['files'][number]['diff'] }) {
  const added = diff.filter(({ kind }) => kind === 'added').length;
  const removed = diff.filter(({ kind }) => kind === 'removed').length;
  return (
    <span className={styles.counts}>
      {added > 0 && <span data-kind="added">+{added}</span>}
      {removed > 0 && <span data-kind="removed">−{removed}</span>}
    </span>
  );
}
