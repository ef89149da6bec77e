import type { Draft } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import styles from './add.module.css';
import { summaryOf } from './summary';

interface SeveralFoundProps {
  drafts: readonly Draft[];
  /** Names that are left out. */
  skipped: ReadonlySet<string>;
  onChange: (skipped: ReadonlySet<string>) => void;
}

/** Several servers of which the user takes some. */
export function SeveralFound({ drafts, skipped, onChange }: SeveralFoundProps) {
  return (
    <ul className={styles.several} aria-label="Servers found">
      {drafts.map((draft) => {
        const { name } = draft;
        return (
          <li key={name}>
            <Checkbox
              isSelected={!skipped.has(name)}
              onChange={(isTaken) => {
                const next = new Set(skipped);
                if (isTaken) next.delete(name);
                else next.add(name);
                onChange(next);
              }}
            >
              <span className={styles.name}>{name}</span>
              <code className={styles.summary}>{summaryOf(draft)}</code>
            </Checkbox>
          </li>
        );
      })}
    </ul>
  );
}
