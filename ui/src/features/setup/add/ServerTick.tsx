import type { ConflictChoice } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { entirelyVisible } from '@/lib/visible-text';
import changes from '../change/change.module.css';
import { ConflictField } from '../change/TransferDialog';
import styles from './add.module.css';
import { WHERE_TAKEN } from './texts';

interface ServerTickProps {
  name: string;
  /** The command line or address, where it is known. */
  summary: string | null;
  isSelected: boolean;
  /** The reason why its name stands in the way. */
  caution: string | false;
  onChange: (isSelected: boolean) => void;
}

/** A server that is taken or left, in a list of them. */
export function ServerTick(props: ServerTickProps) {
  const { name, summary, isSelected, caution, onChange } = props;
  return (
    <li className={styles.item}>
      <Checkbox isSelected={isSelected} onChange={onChange}>
        <span className={styles.name}>{entirelyVisible(name)}</span>
        {summary !== null && <Confirmed className="grow remark" text={summary} />}
      </Checkbox>
      {caution && (
        <span className="flex-none text-data warn">
          <span aria-hidden="true">▲ </span>
          {caution}
        </span>
      )}
    </li>
  );
}

interface WhereTakenProps {
  value: ConflictChoice;
  onChange: (choice: ConflictChoice) => void;
}

/** Asks what becomes of servers whose names are taken. */
export function WhereTaken(props: WhereTakenProps) {
  return (
    <div className={changes.choice}>
      <span>{WHERE_TAKEN}</span>
      <ConflictField {...props} />
    </div>
  );
}
