import { type RefObject, useEffect, useRef, useState } from 'react';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { BOOKMARK } from '../texts';
import styles from './exchange-pane.module.css';

/** The longest note, in characters, as the record takes it. */
const MAX_CHARACTERS = 2_000;

interface NoteFieldProps {
  readonly note: string;
  /** True if the note is to be written now. */
  readonly isAsked: boolean;
  /** Null where notes can only be read. */
  readonly onWrite: ((note: string) => void) | null;
}

/** The note of a bookmark. It is kept when Enter is pressed or the field is left. */
export function NoteField({ note, isAsked, onWrite }: NoteFieldProps) {
  const [draft, setDraft] = useState(note);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setDraft(note), [note]);
  useFocusWhen(isAsked, input);

  if (onWrite === null) {
    return note === '' ? null : <p className={styles.noteText}>{visibleText(note)}</p>;
  }
  const isTooLong = [...draft].length > MAX_CHARACTERS;
  const keep = () => {
    if (draft !== note && !isTooLong) onWrite(draft);
  };
  return (
    <TextField
      className={styles.noteField}
      label={BOOKMARK.note}
      hideLabel
      placeholder={BOOKMARK.placeholder}
      inputRef={input}
      value={draft}
      onChange={setDraft}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        else if (event.key === 'Escape' && draft !== note) setDraft(note);
        else event.continuePropagation();
      }}
      error={isTooLong ? BOOKMARK.tooLong : undefined}
    />
  );
}

function useFocusWhen(isAsked: boolean, input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    if (isAsked) input.current?.focus();
  }, [isAsked, input]);
}
