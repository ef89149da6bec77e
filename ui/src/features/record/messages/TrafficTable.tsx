import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import type { Column } from '@/components/virtual-table/columns';
import { formatSize } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { RecordTable, type RecordTableProps, type RowKind } from '../rows/RecordTable';
import { barLook, durationOf } from '../rows/row-words';
import { BookmarkMark, BookmarkNote, StatusCell } from '../rows/StatusCell';
import { BAR, COLUMNS } from '../texts';
import { separatorText } from './separator';
import {
  DirectionCell,
  MomentCell,
  ServerCell,
  type TrafficFrame,
  WaterfallBar,
} from './TrafficCells';
import styles from './traffic-columns.module.css';
import type { TrafficRows } from './traffic-rows';

interface TrafficTableProps extends RecordTableProps {
  readonly rows: TrafficRows;
  /** Folds the rows of a call away, or shows them again; absent where the rows are lines of a log. */
  readonly onFold?: (call: ExchangeId, isFolded: boolean) => void;
}

/** The messages, each of them a row; or the lines that servers print and log. */
export function TrafficTable({ rows, onFold, ...common }: TrafficTableProps) {
  const press = (row: ExchangeRow, key: string) => {
    if (!onFold) return false;
    if (key === 'ArrowLeft' && row.parent === null && row.foldedRows === 0) onFold(row.id, true);
    else if (key === 'ArrowLeft' && row.parent !== null) onFold(row.parent, true);
    else if (key === 'ArrowRight' && row.foldedRows > 0) onFold(row.id, false);
    else return false;
    return true;
  };
  return (
    <RecordTable
      kind={onFold ? MESSAGES : LINES}
      source={rows}
      list={rows}
      onKey={press}
      {...common}
    />
  );
}

type TrafficColumn = Column<ExchangeRow, TrafficFrame>;

/** The columns, of which a narrow window shows fewer. */
const TRAFFIC_COLUMNS: readonly TrafficColumn[] = [
  { id: 'number', title: COLUMNS.number, width: 68, cell: (row) => row.id },
  {
    id: 'direction',
    title: '',
    label: COLUMNS.direction,
    width: 24,
    isFixed: true,
    cell: (row) => <DirectionCell row={row} />,
  },
  {
    id: 'time',
    title: COLUMNS.time,
    width: 116,
    yields: 3,
    cell: (row, frame) => <MomentCell row={row} now={frame.now} />,
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
    cell: (row, frame) => <WaterfallBar time={row} look={barLook(row)} frame={frame} />,
  },
];

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
  const isFolded = row.foldedRows > 0;
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
      <BookmarkMark note={row.bookmark} />
      {target}
      {row.foldedRows > 0 && <span className="faint"> · {COLUMNS.folded(row.foldedRows)}</span>}
      <BookmarkNote note={row.bookmark} />
    </span>
  );
}

const MESSAGES: RowKind<ExchangeRow> = {
  label: COLUMNS.label,
  columns: TRAFFIC_COLUMNS,
  widths: 'traffic.columns',
  rowOf: (row) => row,
  timeOf: (row) => row,
  callOf: (row) => row.parent,
  separatorOf: separatorText,
};

const SHOWN_OF_LINES = ['time', 'server', 'method', 'target', 'status'];

const LINES: RowKind<ExchangeRow> = {
  ...MESSAGES,
  label: BAR.views.log,
  columns: TRAFFIC_COLUMNS.filter(({ id }) => SHOWN_OF_LINES.includes(id)),
  widths: 'traffic.log-columns',
};
