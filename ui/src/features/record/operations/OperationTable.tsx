import { RecordTable, type RecordTableProps, type RowKind } from '../rows/RecordTable';
import { OPERATION_COLUMNS } from './operation-columns';
import type { OperationLine, OperationRows } from './operation-rows';
import { OPERATIONS } from './operation-texts';
import { timeOf } from './operation-time';

interface OperationTableProps extends RecordTableProps {
  readonly rows: OperationRows;
}

/** The operations, each of which opens into the tree of its rows. */
export function OperationTable({ rows, ...common }: OperationTableProps) {
  /** Moves as in any tree: right opens and goes in, left folds and goes out. */
  const press = (line: OperationLine, key: string, moveTo: (index: number) => void) => {
    if (key === 'ArrowRight' && line.isOpen === false) rows.unfold(line);
    else if (key === 'ArrowRight' && line.isOpen) {
      const at = rows.lineOf(line);
      if (at !== null) moveTo(at + 1);
    } else if (key === 'ArrowLeft' && line.isOpen) rows.fold(line);
    else if (key === 'ArrowLeft') {
      const above = rows.parentOf(line);
      if (above !== null) moveTo(above);
    } else return false;
    return true;
  };
  return <RecordTable kind={LINES} source={rows} list={rows.list} onKey={press} {...common} />;
}

const LINES: RowKind<OperationLine> = {
  label: OPERATIONS.label,
  columns: OPERATION_COLUMNS,
  widths: 'traffic.operation-columns',
  rowOf: ({ row }) => row,
  timeOf: ({ row, summary }) => (summary ? timeOf(summary) : row),
  callOf: () => null,
  treeOf: ({ node, isOpen }) => ({ level: (node?.depth ?? 0) + 1, isOpen }),
};
