import { Bookmark } from 'lucide-react';
import type { ExchangeRow } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { visibleText } from '@/lib/visible-text';
import styles from '../messages/traffic-columns.module.css';
import { BOOKMARK } from '../texts';
import { useCrash } from './crash';
import { statusOf } from './row-words';

/** The status of a row. */
export function StatusCell({ row }: { row: ExchangeRow }) {
  return <StatusText status={statusOf(row, useCrash(row) !== null)} />;
}

/** A status as glyph, word and colour. */
export function StatusText({ status }: { status: StatusLabel | null }) {
  if (!status) return null;
  return (
    <span className={status.tone}>
      <span aria-hidden="true">{status.glyph} </span>
      {status.label}
    </span>
  );
}

/** The mark of a row that has a bookmark; its note is read on it. */
export function BookmarkMark({ note }: { note: string | null }) {
  if (note === null) return null;
  const text = BOOKMARK.mark(visibleText(note));
  return (
    <span className={styles.bookmark} role="img" aria-label={text} title={text}>
      <Bookmark size={12} fill="currentColor" />
    </span>
  );
}

/** A note behind what a row is about. */
export function BookmarkNote({ note }: { note: string | null }) {
  if (note === null || note === '') return null;
  // The mark has it for those who listen.
  return (
    <span className={styles.note} aria-hidden="true">
      {visibleText(note)}
    </span>
  );
}
