import { X } from 'lucide-react';
import { useState } from 'react';
import type { ListChange } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import styles from './item-list.module.css';
import { PROGRESS } from './texts';

/** Names that a change tells at most, of each sort. */
const MAX_NAMES = 100;

interface Props {
  change: ListChange | undefined;
  noun: string;
}

/** The progress of a list, and the changes of the last `list_changed`. */
export function ListNotice({ change, noun }: Props) {
  const [dismissed, setDismissed] = useState<number>();
  if (change?.state.type === 'loading') {
    return (
      <div className={styles.notice} role="status">
        <span className="text-small busy">◐</span>
        {change.count > 0 ? PROGRESS.soFar(change.count) : PROGRESS.loading(noun)}
      </div>
    );
  }
  const text = change && changeText(change);
  if (!text || change.revision === dismissed) return null;
  const names = [...change.added, ...change.removed, ...change.changed].slice(0, 20).join('\n');
  return (
    <div className={styles.notice} role="status" title={names}>
      <span className="text-small busy">●</span>
      {text}
      <IconButton icon={X} label={PROGRESS.dismiss} onPress={() => setDismissed(change.revision)} />
    </div>
  );
}

/** "3 added, 1 removed"; empty when nothing is known. */
export function changeText({ added, removed, changed }: ListChange): string {
  const count = (names: string[]) =>
    names.length === MAX_NAMES ? PROGRESS.atLeast(MAX_NAMES) : String(names.length);
  return [
    added.length > 0 && PROGRESS.added(count(added)),
    removed.length > 0 && PROGRESS.removed(count(removed)),
    changed.length > 0 && PROGRESS.changed(count(changed)),
  ]
    .filter(Boolean)
    .join(', ');
}
