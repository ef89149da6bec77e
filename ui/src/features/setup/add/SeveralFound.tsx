import type { ConflictChoice, Draft } from '@/backend/bindings';
import { withMembers } from '@/lib/sets';
import styles from './add.module.css';
import { ServerTick, WhereTaken } from './ServerTick';
import { summaryOf } from './summary';
import { ADD, foundCounts, NAME_IS_TAKEN } from './texts';

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
        {drafts.map((draft) => (
          <ServerTick
            key={draft.name}
            name={draft.name}
            summary={summaryOf(draft)}
            isSelected={!skipped.has(draft.name)}
            caution={isTaken(draft.name) && NAME_IS_TAKEN}
            onChange={(isWanted) => onChange(withMembers(skipped, [draft.name], !isWanted))}
          />
        ))}
      </ul>
      {taken > 0 && <WhereTaken value={conflict} onChange={onConflict} />}
    </>
  );
}
