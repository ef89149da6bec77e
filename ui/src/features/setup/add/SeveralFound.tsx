import type { ConflictChoice, Draft } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { entirelyVisible } from '@/lib/visible-text';
import changes from '../change/change.module.css';
import { ConflictField } from '../change/TransferDialog';
import styles from './add.module.css';
import { summaryOf } from './summary';
import { ADD, foundCounts, NAME_IS_TAKEN, WHERE_TAKEN } from './texts';

interface SeveralFoundProps {
  drafts: readonly Draft[];
  /** Names that are left out. */
  skipped: ReadonlySet<string>;
  /** Tells whether the file has a server of this name. */
  isTaken: (name: string) => boolean;
  /** The choice for those. */
  conflict: ConflictChoice;
  onChange: (skipped: ReadonlySet<string>) => void;
  onConflict: (choice: ConflictChoice) => void;
}

/** Several servers of which the user takes some. */
export function SeveralFound(props: SeveralFoundProps) {
  const { drafts, skipped, isTaken, conflict, onChange, onConflict } = props;
  const wanted = drafts.filter(({ name }) => !skipped.has(name));
  const taken = wanted.filter(({ name }) => isTaken(name)).length;
  return (
    <>
      <p className={styles.remark}>{foundCounts(wanted.length, taken)}</p>
      <ul className="stack plain-list" aria-label={ADD.found}>
        {drafts.map((draft) => {
          const { name } = draft;
          return (
            <li key={name} className={styles.item}>
              <Checkbox
                isSelected={!skipped.has(name)}
                onChange={(isTaken) => {
                  const next = new Set(skipped);
                  if (isTaken) next.delete(name);
                  else next.add(name);
                  onChange(next);
                }}
              >
                <span className={styles.name}>{entirelyVisible(name)}</span>
                <Confirmed className="grow remark" text={summaryOf(draft)} />
              </Checkbox>
              {isTaken(name) && (
                <span className="flex-none text-data warn">
                  <span aria-hidden="true">▲ </span>
                  {NAME_IS_TAKEN}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {taken > 0 && (
        <div className={changes.choice}>
          <span>{WHERE_TAKEN}</span>
          <ConflictField value={conflict} onChange={onConflict} />
        </div>
      )}
    </>
  );
}
