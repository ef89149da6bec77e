import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { SearchField } from '@/components/SearchField';
import { useAction } from '@/state/actions';
import { filtered } from './cells';
import styles from './clients.module.css';

/** Filters rows by what is typed into a field of that label. `textOf` is the same each time. */
export function useFilter<Row>(label: string, rows: readonly Row[], textOf: (row: Row) => string) {
  const [text, setText] = useState('');
  const filter = useDeferredValue(text);
  const search = useRef<HTMLInputElement>(null);
  useAction('filter.focus', () => search.current?.select());
  const drawn = useMemo(() => filtered(rows, filter, textOf), [rows, filter, textOf]);
  const field = (
    <SearchField
      label={label}
      className={styles.search}
      value={text}
      onChange={setText}
      inputRef={search}
    />
  );
  return { field, filter, drawn };
}
