import { type ReactNode, useMemo, useState } from 'react';
import { ArrayRows } from '@/components/virtual-table/array-rows';
import type { Column, ColumnSort, ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';

interface RowTableProps<Row> {
  label: string;
  columns: readonly Column<Row, undefined>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  selected: string | number | null;
  onSelect: (row: Row) => void;
  /** Enter, or a click. */
  onOpen?: (row: Row) => void;
  /** Handles a key that does not move; returns whether it was meant for the row. */
  onKey?: (row: Row, key: string) => boolean;
  sort?: ColumnSort | null;
  onSort?: (column: string) => void;
  empty: ReactNode;
}

const nothing = () => undefined;

/** A table of any number of rows that are all at hand. */
export function RowTable<Row>({ rows, onOpen = nothing, ...rest }: RowTableProps<Row>) {
  const [widths, setWidths] = useState<ColumnWidths>({});
  const source = useMemo(() => new ArrayRows(rows), [rows]);
  return (
    <div className="flex fill min-w-0 relative">
      <VirtualTable
        {...rest}
        source={source}
        frameOf={nothing}
        onOpen={onOpen}
        follow={false}
        onFollowChange={nothing}
        widths={widths}
        onWidthsChange={setWidths}
      />
    </div>
  );
}
