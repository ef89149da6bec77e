import type { ExchangeRow, FrameId, PayloadForm } from '@/backend/bindings';
import { LineView } from '@/widgets/line-view/LineView';
import { statusOf } from '../rows/status';
import { ABSENT } from '../texts';

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
  if (frame === null || frame === undefined)
    return <p className="pad-x-6 pad-y-5 remark">{whyAbsent(row)}</p>;
  // Lines of stderr are no JSON, whatever they look like.
  const shownAs = row.kind === 'stderr' || row.kind === 'phase' ? 'raw' : form;
  return <LineView query={{ frame, pointer: part, form: shownAs }} label={label} />;
}

/** Says why there is no response. */
function whyAbsent(row: ExchangeRow): string {
  const waitsForUser = row.direction === 'received';
  switch (row.outcome) {
    case 'pending':
      return waitsForUser ? ABSENT.waiting : ABSENT.pending;
    case 'cancelled':
      return ABSENT.cancelled;
    case 'unanswered':
      return ABSENT.unanswered;
    default:
      return ABSENT.other(statusOf(row)?.label);
  }
}
