import type { ExchangeRow } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { statusOf } from './row-words';

/** The status of a row. */
export function StatusCell({ row }: { row: ExchangeRow }) {
  return <StatusText status={statusOf(row)} />;
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
