import { useState } from 'react';
import type { ExchangeRow } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import styles from './exchange-pane.module.css';
import { PayloadPanel } from './PayloadPanel';

const SIDES = [
  { value: 'request', label: 'Request' },
  { value: 'response', label: 'Response' },
] as const;

type Side = (typeof SIDES)[number]['value'];

/** Exactly what crossed the wire. */
export function RawPanel({ row }: { row: ExchangeRow }) {
  const [side, setSide] = useState<Side>(row.response_frame === null ? 'request' : 'response');
  const isExchange = row.kind !== 'notification' && row.kind !== 'log';
  const frame = side === 'request' || !isExchange ? row.request_frame : row.response_frame;
  return (
    <>
      {isExchange && (
        <div className={styles.line}>
          <span>Exactly as it crossed the wire</span>
          <Segmented label="Side" segments={SIDES} value={side} onChange={setSide} />
        </div>
      )}
      <PayloadPanel row={row} label="Raw" frame={frame} part="" form="raw" />
    </>
  );
}
