import type { ReactNode } from 'react';
import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { formatMoment, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { serverName } from '../rows/row-words';
import { barOf, type Timed, type TimeScale } from '../rows/waterfall';
import { COLUMNS } from '../texts';
import styles from './traffic-columns.module.css';

/** Data that all rows on the screen share. */
export interface TrafficFrame {
  readonly scale: TimeScale;
  /** Milliseconds since the Unix epoch: how far pending requests reach. */
  readonly now: number;
  /** The calls on the screen whose rows are there too, so that they can be folded away. */
  readonly calls: ReadonlySet<ExchangeId>;
}

/** The side that a message came from; nothing for a phase, which is none. */
export function DirectionCell({ row }: { row: ExchangeRow }) {
  if (row.kind === 'phase') return null;
  const isSent = row.direction === 'sent';
  return (
    <span role="img" aria-label={isSent ? COLUMNS.sent : COLUMNS.received}>
      {isSent ? '↑' : '↓'}
    </span>
  );
}

/** The moment when a row began. */
export function MomentCell({ row, now }: { row: ExchangeRow; now: number }) {
  return <span title={formatTimestamp(row.at ?? 0)}>{formatMoment(row.at ?? 0, now)}</span>;
}

/** The server, and its project where that tells it from another. */
export function ServerCell({ row }: { row: ExchangeRow }) {
  if (row.projectLabel === null) return visibleText(row.server);
  return (
    <span title={`${serverName(row)}\n${visibleText(row.project)}`}>
      {visibleText(row.server)}
      <span className="faint"> · {visibleText(row.projectLabel)}</span>
    </span>
  );
}

interface WaterfallBarProps {
  readonly time: Timed;
  readonly look: string;
  readonly frame: TrafficFrame;
  /** Stands over the bar. */
  readonly children?: ReactNode;
}

/** The time of a row among those on the screen. */
export function WaterfallBar({ time, look, frame, children }: WaterfallBarProps) {
  const { left, width } = barOf(time, frame.scale, frame.now);
  return (
    <span className={styles.waterfall} aria-hidden="true">
      <span
        className={styles.bar}
        data-outcome={look}
        style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
      />
      {children}
    </span>
  );
}
