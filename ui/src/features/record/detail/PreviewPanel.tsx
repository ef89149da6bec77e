import type { ExchangeRow } from '@/backend/bindings';
import { DETAIL, ERROR_NAMES, PANELS } from '../texts';
import styles from './exchange-pane.module.css';
import { PayloadPanel } from './PayloadPanel';

/** The part that is most likely looked for: the result, or else the error, or the question. */
export function PreviewPanel({ row }: { row: ExchangeRow }) {
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
