import { type ReactNode, useRef } from 'react';
import { SearchField } from '@/components/SearchField';
import { Segmented } from '@/components/Segmented';
import { useAction } from '@/state/actions';
import styles from './setup.module.css';
import { SETUP } from './texts';

interface ConfigToolbarProps<Show extends string> {
  label: string;
  filter: string;
  onFilter: (text: string) => void;
  /** The kinds of servers that are shown, and what each is called. */
  kinds: Readonly<Record<Show, string>>;
  show: Show;
  onShow: (show: Show) => void;
  /** The user is done with the field and goes on to the servers. */
  onLeave: () => void;
  /** Stands at the other end. */
  children: ReactNode;
}

/** Narrows the servers of a table of Setup. */
export function ConfigToolbar<Show extends string>(props: ConfigToolbarProps<Show>) {
  const { kinds, show, onShow, onLeave } = props;
  const search = useRef<HTMLInputElement>(null);
  useAction('filter.focus', () => search.current?.select());
  return (
    <div className="bar wrap gap-4 min-h-bar pad-x-6 pad-y-2">
      <SearchField
        label={props.label}
        placeholder={SETUP.filterHint}
        className={styles.search}
        value={props.filter}
        onChange={props.onFilter}
        inputRef={search}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
        }}
      />
      <Segmented
        label={SETUP.show}
        value={show}
        onChange={onShow}
        segments={(Object.keys(kinds) as Show[]).map((value) => ({ value, label: kinds[value] }))}
      />
      <span className="flex-1" />
      {props.children}
    </div>
  );
}
