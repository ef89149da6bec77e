import type { ListChange, ListKind, ServerId } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { openInClients } from '@/state/clients/in-clients';
import styles from './item-list.module.css';
import { LIST } from './texts';

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
