import type { Ref } from 'react';
import { SearchField } from '@/components/SearchField';
import { Segmented } from '@/components/Segmented';
import type { Show } from './grid/file-rows';
import styles from './setup.module.css';
import { SETUP } from './texts';

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

/** Narrows the servers of a client. */
export function ConfigToolbar(props: ConfigToolbarProps) {
  const { filter, onFilter, show, onShow, count, total, searchRef, onLeave } = props;
  return (
    <div className="bar gap-4 min-h-bar pad-x-6 pad-y-2">
      <SearchField
        label={SETUP.filter}
        placeholder={SETUP.filterHint}
        className={styles.search}
        value={filter}
        onChange={onFilter}
        inputRef={searchRef}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
        }}
      />
      <Segmented
        label={SETUP.show}
        value={show}
        onChange={onShow}
        segments={[
          { value: 'all', label: SETUP.all },
          { value: 'attention', label: SETUP.attention },
          { value: 'several', label: SETUP.several },
        ]}
      />
      <span className="push nowrap figures text-small faint" role="status">
        {SETUP.count(count, total)}
      </span>
    </div>
  );
}
