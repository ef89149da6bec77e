import { useMemo } from 'react';
import type { ExchangeRow, FrameId, PayloadForm } from '@/backend/bindings';
import { LineView } from '@/components/line-view/LineView';
import styles from './exchange-pane.module.css';
import { statusOf } from './status';

export interface PayloadPanelProps {
  readonly row: ExchangeRow;
  /** Nothing while, or because, there is no such message. */
  readonly frame: FrameId | null | undefined;
  /** A JSON pointer to what is shown of it; empty for all of it. */
  readonly part: string;
  readonly form?: PayloadForm;
}

/** A message, or a part of it, line by line. */
export function PayloadPanel({ row, frame, part, form = 'pretty' }: PayloadPanelProps) {
  const known = frame ?? null;
  const query = useMemo(
    () => (known === null ? null : { frame: known, pointer: part, form }),
    [known, part, form],
  );
  if (!query) return <p className={styles.note}>{whyAbsent(row)}</p>;
  return <LineView query={query} />;
}

/** Why there is no response. */
function whyAbsent(row: ExchangeRow): string {
  const waitsForPerson = row.direction === 'received';
  switch (row.outcome) {
    case 'pending':
      return waitsForPerson
        ? 'The server waits for your answer, under Requests.'
        : 'No answer yet. It appears here when it comes.';
    case 'cancelled':
      return 'The request was cancelled before it was answered.';
    case 'unanswered':
      return 'The connection ended before the answer came.';
    default:
      return `There was no response (${statusOf(row)?.words ?? 'none is sent'}).`;
  }
}
