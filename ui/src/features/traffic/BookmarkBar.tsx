import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExchangeRow } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { useAction } from '@/state/actions';
import { showError } from '@/state/notices';
import styles from './bookmark.module.css';
import { BOOKMARK } from './texts';

/** The longest note, in characters; the record cuts a longer one. */
const MAX_NOTE = 10_000;

interface BookmarkBarProps {
  row: ExchangeRow;
  /** Reads the row again. */
  onChanged: () => void;
}

/** The note of a row's bookmark, which is saved when the field is left. */
export function BookmarkBar({ row, onChanged }: BookmarkBarProps) {
  const backend = useBackend();
  const { id } = row;
  const saved = row.bookmark ?? '';
  const [note, setNote] = useState(saved);
  useEffect(() => setNote(saved), [saved]);
  const latest = useRef({ note, saved });
  latest.current = { note, saved };
  const set = (text: string | null) =>
    backend.setBookmark(id, text).then(onChanged).catch(showError);
  const save = () => {
    if (note !== saved) void set(note);
  };
  // What was typed is kept where another row is chosen before the field is left.
  useEffect(() => {
    return () => {
      const { note, saved } = latest.current;
      if (note !== saved) backend.setBookmark(id, note).catch(showError);
    };
  }, [backend, id]);
  return (
    <div className={styles.bar}>
      <TextField
        label={BOOKMARK.note}
        hideLabel
        placeholder={BOOKMARK.placeholder}
        maxLength={MAX_NOTE}
        value={note}
        onChange={setNote}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          else event.continuePropagation();
        }}
      />
      <Button
        variant="quiet"
        onPress={() => {
          latest.current = { note: saved, saved };
          void set(null);
        }}
      >
        {BOOKMARK.remove}
      </Button>
    </div>
  );
}

/** Puts a bookmark on a row, or takes it away. */
export function BookmarkButton({ row, onChanged }: BookmarkBarProps) {
  const backend = useBackend();
  const toggle = () => {
    const note = row.bookmark === null ? '' : null;
    backend.setBookmark(row.id, note).then(onChanged).catch(showError);
  };
  useAction('traffic.bookmark', toggle);
  if (row.bookmark !== null) return null;
  return (
    <Button variant="quiet" onPress={toggle}>
      {BOOKMARK.add}
    </Button>
  );
}
