import type { ReactNode } from 'react';
import type { CommandError, LaunchView, PlannedFileView, PlanView } from '@/backend/bindings';
import { Caution } from '@/components/Caution';
import { Confirmed } from '@/components/Confirmed';
import { entirelyVisible } from '@/lib/visible-text';
import { LaunchDetails } from '@/widgets/launch/LaunchDetails';
import { ProblemList } from '@/widgets/ProblemList';
import styles from './change.module.css';
import { DiffView } from './DiffView';
import { CHANGE } from './texts';

interface PlanBodyProps {
  plan: PlanView | null;
  problem: CommandError | null;
  /** Stands here while nothing is planned yet. */
  placeholder?: string;
  /** Action that writes nothing, and what it does; nothing while it cannot be done. */
  instead?: { verb: string; launch: LaunchView | null } | undefined;
}

/**
 * Exactly what a change does, before it is written: what is lost first, then what its servers do,
 * then every line. What is done instead is shown with and without a plan.
 */
export function PlanBody({ plan, problem, placeholder, instead }: PlanBodyProps) {
  const { launch } = instead ?? { launch: null };
  /** The file of a client may mean something else by the same texts. */
  const differs = launch !== null && !plan?.servers.some((server) => isSame(server.launch, launch));
  if (!plan && !problem && !launch) return <Remark>{placeholder}</Remark>;
  return (
    <div className="stack gap-7 min-w-0">
      {problem ? (
        <p role="alert" className="bad">
          <span aria-hidden="true">✕ </span>
          {entirelyVisible(problem.message)} {entirelyVisible(problem.hint ?? '')}
        </p>
      ) : (
        !plan && <Remark>{placeholder}</Remark>
      )}
      {plan && <Effects plan={plan} />}
      {instead && launch && differs && (
        <Server title={CHANGE.insteadDoes(instead.verb)}>
          <LaunchDetails launch={launch} />
        </Server>
      )}
      {plan?.files.map((file) => (
        <FileChange key={file.path} file={file} />
      ))}
    </div>
  );
}

function Remark({ children }: { children: string | undefined }) {
  return children ? <p className="remark">{children}</p> : null;
}

/** The effects of a plan beyond the lines of its files. */
function Effects({ plan }: { plan: PlanView }) {
  const ends = endsOf(plan);
  return (
    <>
      {plan.lost.length > 0 && (
        <div className={styles.lost} role="note">
          <Caution className="">{CHANGE.lost}</Caution>
          <ul>
            {plan.lost.map((lost) => (
              <li key={`${lost.server} ${lost.field}`}>
                <b>{entirelyVisible(lost.server)}</b> <Confirmed text={lost.field} />{' '}
                {entirelyVisible(lost.reason)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {ends !== null && <Caution>{ends}</Caution>}
      {plan.warnings.map((warning) => (
        <Caution key={warning}>{entirelyVisible(warning)}</Caution>
      ))}
      {plan.servers.map(({ name, label, launch }) => (
        <Server key={`${label} ${name}`} title={CHANGE.does(entirelyVisible(name))}>
          <LaunchDetails launch={launch} />
        </Server>
      ))}
    </>
  );
}

/** A file of a plan, line by line. */
function FileChange({ file }: { file: PlannedFileView }) {
  return (
    <div className="stack gap-3 min-w-0">
      <h3 className="row-baseline gap-3 break-anywhere medium">
        {file.creates ? CHANGE.creates : file.deletes ? CHANGE.deletes : CHANGE.changes}{' '}
        <Confirmed text={file.label} />
        <Counts diff={file.diff} />
      </h3>
      {file.outside !== null && (
        <Caution>
          {CHANGE.leaves[0]}
          <Confirmed text={file.outside} />
          {CHANGE.leaves[1]}
        </Caution>
      )}
      <DiffView diff={file.diff} label={CHANGE.diffOf(entirelyVisible(file.label))} />
      {file.remainingProblems.length > 0 && (
        <>
          <p className="remark">{CHANGE.remaining}</p>
          <ProblemList problems={file.remainingProblems} />
        </>
      )}
    </div>
  );
}

/** A sentence about the connections and the files that a plan ends; null where it ends none. */
function endsOf({ disconnects, files }: PlanView): string | null {
  const deleted = files.filter(({ deletes }) => deletes).map(({ label }) => label);
  const ends = [
    ...(disconnects.length > 0 ? [CHANGE.disconnects(disconnects.map(entirelyVisible))] : []),
    ...(deleted.length > 0 ? [CHANGE.deletesFiles(deleted.map(entirelyVisible))] : []),
  ];
  return ends.length > 0 ? CHANGE.ends(ends) : null;
}

function Server({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.server} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function isSame(one: LaunchView, other: LaunchView): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function Counts({ diff }: Pick<PlannedFileView, 'diff'>) {
  const added = diff.filter(({ kind }) => kind === 'added').length;
  const removed = diff.filter(({ kind }) => kind === 'removed').length;
  return (
    <span className={styles.counts}>
      {added > 0 && <span data-kind="added">+{added}</span>}
      {removed > 0 && <span data-kind="removed">−{removed}</span>}
    </span>
  );
}
