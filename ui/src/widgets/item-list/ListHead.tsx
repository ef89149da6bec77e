import { X } from 'lucide-react';
import { useState } from 'react';
import type { ListChange, ListKind, ServerId } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { visibleText } from '@/lib/visible-text';
import { openInClients } from '@/state/clients/in-clients';
import styles from './item-list.module.css';
import { LIST, PROGRESS } from './texts';

interface SummaryProps {
  server: ServerId;
  list: ListKind;
  /** The number of items that match the filter, where there is one. */
  matched: number | undefined;
  change: ListChange | undefined;
  /** The beginning of every URI. */
  prefix: string;
}

/** The length of a list, its cost for a model, and the beginning of its URIs. */
export function Summary({ server, list, matched, change, prefix }: SummaryProps) {
  if (!change) return null;
  return (
    <div className={styles.summary}>
      <span>
        {matched === undefined
          ? LIST.count(list, change.count)
          : LIST.matches(list, matched, change.count)}
      </span>
      {prefix !== '' && matched === undefined && (
        <bdi
          className={styles.commonPrefix}
          title={`${visibleText(prefix)}\n${LIST.prefixMeaning}`}
        >
          {visibleText(prefix)}…
        </bdi>
      )}
      {list === 'tools' && change.tokens > 0 && (
        <button
          type="button"
          className={styles.tokens}
          title={`${LIST.tokensMeaning} ${LIST.showCost}`}
          onClick={() => openInClients(server, 'cost')}
        >
          {LIST.tokens(change.tokens)}
        </button>
      )}
    </div>
  );
}

/** Names that a change tells at most, of each sort. */
const MAX_NAMES = 100;

/** The progress of a list, and the changes of the last `list_changed`. */
export function ListNotice({ change, noun }: { change: ListChange | undefined; noun: string }) {
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
