import type { Ref } from 'react';
import { SearchField } from '@/components/SearchField';
import { Segmented } from '@/components/Segmented';
import { formatCount } from '@/lib/format';
import styles from './config-view.module.css';
import type { Show } from './matrix/matrix';

interface ConfigToolbarProps {
  filter: string;
  onFilter: (text: string) => void;
  show: Show;
  onShow: (show: Show) => void;
  count: number;
  total: number;
  searchRef: Ref<HTMLInputElement>;
  /** The user is done with the field and goes on to the servers. */
  onLeave: () => void;
}

/** Narrows the matrix. */
export function ConfigToolbar(props: ConfigToolbarProps) {
  const { filter, onFilter, show, onShow, count, total, searchRef, onLeave } = props;
  return (
    <div className={styles.toolbar}>
      <SearchField
        label="Filter configuration"
        placeholder="Filter servers"
        className={styles.search}
        value={filter}
        onChange={onFilter}
        inputRef={searchRef}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
        }}
      />
      <Segmented
        label="Show"
        value={show}
        onChange={onShow}
        segments={[
          { value: 'all', label: 'All' },
          { value: 'attention', label: 'Needs attention' },
          { value: 'several', label: 'In several files' },
        ]}
      />
      <span className={styles.count} role="status">
        {count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`}
      </span>
    </div>
  );
}
