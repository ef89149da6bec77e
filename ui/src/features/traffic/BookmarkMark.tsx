import type { ExchangeRow } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import styles from './bookmark.module.css';
import { BOOKMARK } from './texts';

/** The number of a row, behind the mark of its bookmark. */
export function NumberCell({ row }: { row: ExchangeRow }) {
  if (row.bookmark === null) return row.id;
  const note = visibleText(row.bookmark);
  return (
    <span title={note === '' ? BOOKMARK.marked : note}>
      <span className={styles.mark} aria-hidden="true">
        ★
      </span>
      <span className="visually-hidden">{BOOKMARK.marked} </span>
      {row.id}
    </span>
  );
}

/** The beginning of the note of a row's bookmark. */
export function NoteText({ row }: { row: ExchangeRow }) {
  const note = visibleText(row.bookmark ?? '');
  return note === '' ? null : <span className={styles.note}> · {note}</span>;
}
