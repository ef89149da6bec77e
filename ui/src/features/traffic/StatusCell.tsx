import type { ExchangeRow } from '@/backend/bindings';
import { statusOf } from './status';
import styles from './traffic-columns.module.css';

/** A status as glyph, word and colour. */
export function StatusCell({ row }: { row: ExchangeRow }) {
  const status = statusOf(row);
  if (!status) return null;
  return (
    <span className={styles[status.tone]}>
      <span aria-hidden="true">{status.glyph} </span>
      {status.label}
    </span>
  );
}
