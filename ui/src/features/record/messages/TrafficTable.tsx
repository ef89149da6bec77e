import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { RecordTable, type RecordTableProps, type RowKind } from '../rows/RecordTable';
import { COLUMNS } from '../texts';
import { separatorText } from './separator';
import { TRAFFIC_COLUMNS } from './traffic-columns';
import type { TrafficRows } from './traffic-rows';

interface TrafficTableProps extends RecordTableProps {
  readonly rows: TrafficRows;
  /** Folds the rows of a call away, or shows them again. */
  readonly onFold: (call: ExchangeId, isFolded: boolean) => void;
}

/** The messages, each of them a row. */
export function TrafficTable({ rows, onFold, ...common }: TrafficTableProps) {
  const press = (row: ExchangeRow, key: string) => {
    if (key === 'ArrowLeft' && row.parent === null && row.foldedRows === 0) onFold(row.id, true);
    else if (key === 'ArrowLeft' && row.parent !== null) onFold(row.parent, true);
    else if (key === 'ArrowRight' && row.foldedRows > 0) onFold(row.id, false);
    else return false;
    return true;
  };
  return <RecordTable kind={MESSAGES} source={rows} list={rows} onKey={press} {...common} />;
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
