import type { ExchangeRow } from '@/backend/bindings';
import { RecordTable, type RecordTableProps, type RowKind } from '../rows/RecordTable';
import { BAR } from '../texts';
import { separatorText } from './separator';
import { TRAFFIC_COLUMNS } from './traffic-columns';
import type { TrafficRows } from './traffic-rows';

/** The lines that servers print on stderr, and their log messages. */
export function LogTable({ rows, ...common }: RecordTableProps & { readonly rows: TrafficRows }) {
  return <RecordTable kind={LINES} source={rows} list={rows} onKey={() => false} {...common} />;
}

const SHOWN = ['time', 'server', 'method', 'target', 'status'];

const LINES: RowKind<ExchangeRow> = {
  label: BAR.views.log,
  columns: TRAFFIC_COLUMNS.filter(({ id }) => SHOWN.includes(id)),
  widths: 'traffic.log-columns',
  rowOf: (row) => row,
  timeOf: (row) => row,
  callOf: () => null,
  separatorOf: separatorText,
};
