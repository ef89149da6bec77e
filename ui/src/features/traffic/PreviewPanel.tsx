import type { ExchangeRow } from '@/backend/bindings';
import styles from './exchange-pane.module.css';
import { PayloadPanel } from './PayloadPanel';

/** The part that is most likely looked for: the result, or else the error, or the question. */
export function PreviewPanel({ row }: { row: ExchangeRow }) {
  // A request of the server's is understood by what it asks, whatever came of it.
  if (row.direction === 'received') {
    return <PayloadPanel row={row} label="Preview" frame={row.request_frame} part="/params" />;
  }
  const code = row.code ?? null;
  if (row.outcome !== 'error' || code === null) {
    return <PayloadPanel row={row} label="Preview" frame={row.response_frame} part="/result" />;
  }
  return (
    <>
      <p className={styles.line}>
        <span className={styles.error}>
          <span aria-hidden="true">✕ </span>
          {ERROR_NAMES[code] ?? 'Error'} <span className="mono">{code}</span>
        </span>
      </p>
      <PayloadPanel row={row} label="Preview" frame={row.response_frame} part="/error" />
    </>
  );
}

/** The names of codes in JSON-RPC 2.0, section 5.1, and in MCP. */
const ERROR_NAMES: Record<number, string> = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
  [-32002]: 'Resource not found',
  [-32042]: 'URL elicitation required',
};
