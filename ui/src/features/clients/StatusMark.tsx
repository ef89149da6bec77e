import { Glyph, type StatusLabel } from '@/components/Glyph';
import styles from './clients.module.css';

/** A status in a row: a glyph and a word, in its colour. */
export function StatusMark({ status, text }: { status: StatusLabel; text?: string }) {
  return (
    <span className={styles.mark} data-tone={status.tone}>
      <Glyph glyph={status.glyph} tone={status.tone} />
      {text ?? status.label}
    </span>
  );
}
