import { X } from 'lucide-react';
import { useState } from 'react';
import type { ListChange } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { formatCount } from '@/lib/format';
import styles from './item-list.module.css';

interface Props {
  change: ListChange | undefined;
  noun: string;
}

/** The progress of a list, and the changes of the last `list_changed`. */
export function ListNotice({ change, noun }: Props) {
  const [dismissed, setDismissed] = useState<number>();
  if (change?.state.state === 'loading') {
    return (
      <div className={styles.notice} role="status">
        <span className={styles.busy}>◐</span>
        {change.count > 0 ? `${formatCount(change.count)} so far` : `Loading ${noun}`}
      </div>
    );
  }
  const text = change && changeText(change);
  if (!text || change.revision === dismissed) return null;
  const names = [...change.added, ...change.removed, ...change.changed].slice(0, 20).join('\n');
  return (
    <div className={styles.notice} role="status" title={names}>
      <span className={styles.busy}>●</span>
      {text}
      <IconButton label="Dismiss" onPress={() => setDismissed(change.revision)}>
        <X size={12} aria-hidden />
      </IconButton>
    </div>
  );
}

/** "3 added, 1 removed"; empty when nothing is known. */
export function changeText({ added, removed, changed }: ListChange): string {
  const count = (names: string[]) => (names.length === 100 ? '100 or more' : String(names.length));
  return [
    added.length > 0 && `${count(added)} added`,
    removed.length > 0 && `${count(removed)} removed`,
    changed.length > 0 && `${count(changed)} changed`,
  ]
    .filter(Boolean)
    .join(', ');
}
