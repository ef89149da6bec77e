import { useState } from 'react';
import type { ExchangeRow } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { DETAIL, PANELS } from '../texts';
import styles from './exchange-pane.module.css';
import { PayloadPanel } from './PayloadPanel';

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
