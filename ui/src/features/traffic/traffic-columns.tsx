import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import type { Column } from '@/components/virtual-table/columns';
import { formatDuration, formatMoment, formatSize, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { StatusCell } from './StatusCell';
import { serverName } from './server-name';
import { statusOf } from './status';
import { COLUMNS } from './texts';
import styles from './traffic-columns.module.css';
import { barOf, type TimeScale } from './waterfall';

/** Data that all rows on the screen share. */
export interface TrafficFrame {
  readonly scale: TimeScale;
  /** Milliseconds since the Unix epoch: how far pending requests reach. */
  readonly now: number;
  /** The calls on the screen whose rows are there too, so that they can be folded away. */
  readonly calls: ReadonlySet<ExchangeId>;
}

type TrafficColumn = Column<ExchangeRow, TrafficFrame>;

/** The columns, of which a narrow window shows fewer. */
export const TRAFFIC_COLUMNS: readonly TrafficColumn[] = [
  { id: 'number', title: COLUMNS.number, width: 68, cell: (row) => row.id },
  {
    id: 'direction',
    title: '',
    label: COLUMNS.direction,
    width: 24,
    isFixed: true,
    cell: (row) =>
      row.kind === 'phase' ? null : row.direction === 'sent' ? (
        <span role="img" aria-label={COLUMNS.sent}>
          ↑
        </span>
      ) : (
        <span role="img" aria-label={COLUMNS.received}>
          ↓
        </span>
      ),
  },
  {
    id: 'time',
    title: COLUMNS.time,
    width: 116,
    yields: 3,
    cell: (row, frame) => (
      <span title={formatTimestamp(row.at ?? 0)}>{formatMoment(row.at ?? 0, frame.now)}</span>
    ),
  },
  {
    id: 'server',
    title: COLUMNS.server,
    width: 110,
    yields: 1,
    cell: (row) => <ServerCell row={row} />,
  },
  {
    id: 'method',
    title: COLUMNS.method,
    width: 190,
    cell: (row, frame) => <MethodCell row={row} calls={frame.calls} />,
  },
  {
    id: 'target',
    title: COLUMNS.target,
    width: 120,
    takesRest: true,
    cell: (row) => <TargetCell row={row} target={visibleText(row.target)} />,
  },
  { id: 'status', title: COLUMNS.status, width: 104, cell: (row) => <StatusCell row={row} /> },
  {
    id: 'duration',
    title: COLUMNS.duration,
    width: 76,
    align: 'end',
    yields: 2,
    cell: (row, frame) => durationOf(row, frame.now),
  },
  {
    id: 'size',
    title: COLUMNS.size,
    width: 76,
    align: 'end',
    yields: 4,
    cell: (row) => (row.size ? formatSize(row.size) : COLUMNS.none),
  },
  {
    id: 'waterfall',
    title: COLUMNS.waterfall,
    indent: 14,
    width: 230,
    yields: 5,
    cell: (row, frame) => <WaterfallCell row={row} frame={frame} />,
  },
];

/** Returns the duration so far. Waiting for the user is not the server's time. */
export function durationOf(row: ExchangeRow, now: number): string {
  if (row.outcome === 'pending') {
    return row.direction === 'sent' ? formatDuration(now - (row.at ?? now)) : COLUMNS.none;
  }
  if (row.outcome === 'none') return '';
  return row.duration === null || row.duration === undefined
    ? COLUMNS.none
    : formatDuration(row.duration);
}

/** The server, and its project where that tells it from another. */
function ServerCell({ row }: { row: ExchangeRow }) {
  if (row.project_label === null) return visibleText(row.server);
  return (
    <span title={`${serverName(row)}\n${visibleText(row.project)}`}>
      {visibleText(row.server)}
      <span className={styles.folded}> · {visibleText(row.project_label)}</span>
    </span>
  );
}

/** A method; that of what came during a call is indented below it. */
function MethodCell({ row, calls }: { row: ExchangeRow; calls: ReadonlySet<ExchangeId> }) {
  const method = visibleText(row.method);
  if (row.parent !== null) {
    return (
      <span className={styles.child}>
        <span className="visually-hidden">{COLUMNS.child(row.parent)}</span>
        {method}
      </span>
    );
  }
  const isFolded = row.folded_rows > 0;
  if (!isFolded && !calls.has(row.id)) return method;
  return (
    <>
      <span
        className={styles.fold}
        data-fold={isFolded ? 'closed' : 'open'}
        title={isFolded ? COLUMNS.unfold : COLUMNS.fold}
        aria-hidden="true"
      >
        {isFolded ? '▸' : '▾'}
      </span>
      {method}
    </>
  );
}

function TargetCell({ row, target }: { row: ExchangeRow; target: string }) {
  return (
    <span title={target}>
      {target}
      {row.folded_rows > 0 && (
        <span className={styles.folded}> · {COLUMNS.folded(row.folded_rows)}</span>
      )}
    </span>
  );
}

function WaterfallCell({ row, frame }: { row: ExchangeRow; frame: TrafficFrame }) {
  const { left, width } = barOf(row, frame.scale, frame.now);
  return (
    <span className={styles.waterfall} aria-hidden="true">
      <span
        className={styles.bar}
        data-outcome={barLook(row)}
        style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
      />
    </span>
  );
}

function barLook(row: ExchangeRow): string {
  if (row.outcome === 'pending' || row.outcome === 'none') return row.outcome;
  return statusOf(row)?.tone ?? 'none';
}
