import type { ExchangeRow, FrameId, PayloadForm } from '@/backend/bindings';
import { LineView } from '@/widgets/line-view/LineView';
import styles from './exchange-pane.module.css';
import { statusOf } from './status';

interface PayloadPanelProps {
  readonly row: ExchangeRow;
  /** The accessible name. */
  readonly label: string;
  /** Null while, or because, there is no such message. */
  readonly frame: FrameId | null | undefined;
  /** A JSON pointer to what is shown of it; empty for all of it. */
  readonly part: string;
  readonly form?: PayloadForm;
}

/** A message, or a part of it, line by line. */
export function PayloadPanel({ row, label, frame, part, form = 'pretty' }: PayloadPanelProps) {
  if (frame === null || frame === undefined) return <p className={styles.note}>{whyAbsent(row)}</p>;
  // Lines of stderr are no JSON, whatever they look like.
  const shownAs = row.kind === 'stderr' || row.kind === 'phase' ? 'raw' : form;
  return <LineView query={{ frame, pointer: part, form: shownAs }} label={label} />;
}

/** Says why there is no response. */
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
      return `There was no response (${statusOf(row)?.label ?? 'none is sent'}).`;
  }
}
