import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { RecordTable, type RecordTableProps, type RowKind } from '../rows/RecordTable';
import { BAR, COLUMNS } from '../texts';
import { separatorText } from './separator';
import { TRAFFIC_COLUMNS } from './traffic-columns';
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
