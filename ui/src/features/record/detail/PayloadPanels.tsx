import { useState } from 'react';
import type { ExchangeRow, FailureReport, FrameId, PayloadForm } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { LineView } from '@/widgets/line-view/LineView';
import { CallFailure } from '@/widgets/result/CallFailure';
import { useCrash } from '../rows/crash';
import { statusOf } from '../rows/row-words';
import { ABSENT, DETAIL, ERROR_NAMES, PANELS } from '../texts';
import styles from './exchange-pane.module.css';
import { useRowCommands } from './row-commands';

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

/**
 * The part that is most likely looked for: the result, or else the error, or the question; for a
 * request in which the server crashed, why it did.
 */
export function PreviewPanel({ row }: { row: ExchangeRow }) {
  const crash = useCrash(row);
  if (crash) return <Crash row={row} failure={crash} />;
  // A request of the server's is understood by what it asks, whatever came of it.
  if (row.direction === 'received') {
    return (
      <PayloadPanel row={row} label={PANELS.preview} frame={row.requestFrame} part="/params" />
    );
  }
  const code = row.code ?? null;
  if (row.outcome !== 'error' || code === null) {
    return (
      <PayloadPanel row={row} label={PANELS.preview} frame={row.responseFrame} part="/result" />
    );
  }
  return (
    <>
      <p className={styles.line}>
        <span className="bad">
          <span aria-hidden="true">✕ </span>
          {ERROR_NAMES[code] ?? DETAIL.error} <span className="mono">{code}</span>
        </span>
      </p>
      <PayloadPanel row={row} label={PANELS.preview} frame={row.responseFrame} part="/error" />
    </>
  );
}

function Crash({ row, failure }: { row: ExchangeRow; failure: FailureReport }) {
  const { requests } = useRowCommands(row);
  const duration = row.duration ?? 0;
  return (
    <div className="fill scroll">
      <CallFailure
        server={row.serverId}
        request={{ requestFrame: row.requestFrame, duration }}
        failure={failure}
        run={{ startedAt: row.at, endedAt: row.at + duration }}
        again={requests.find(({ id }) => id === 'resend')?.run}
        isOnRecord
      />
    </div>
  );
}

const SIDES = [
  { value: 'request', label: PANELS.request },
  { value: 'response', label: PANELS.response },
] as const;

type Side = (typeof SIDES)[number]['value'];

/** Exactly what crossed the wire. */
export function RawPanel({ row }: { row: ExchangeRow }) {
  const [side, setSide] = useState<Side>(row.responseFrame === null ? 'request' : 'response');
  const isExchange = row.kind !== 'notification' && row.kind !== 'log';
  const frame = side === 'request' || !isExchange ? row.requestFrame : row.responseFrame;
  return (
    <>
      {isExchange && (
        <div className={styles.line}>
          <span>{DETAIL.exact}</span>
          <Segmented label={DETAIL.side} segments={SIDES} value={side} onChange={setSide} />
        </div>
      )}
      <PayloadPanel row={row} label={PANELS.raw} frame={frame} part="" form="raw" />
    </>
  );
}
