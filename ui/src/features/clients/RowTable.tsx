import { type ReactNode, useMemo, useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ArrayRows, MadeRows } from '@/components/virtual-table/array-rows';
import type { Column, ColumnSort, ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { cellText } from './cells';
import { MODEL } from './texts';

interface RowTableProps<Row> {
  label: string;
  columns: readonly Column<Row, undefined>[];
  rows: readonly Row[] | MadeRows<Row>;
  selected: number | null;
  onSelect: (index: number) => void;
  /** Enter, or a click. */
  onOpen?: (row: Row) => void;
  /** Handles a key that does not move; returns whether it was meant for the row. */
  onKey?: (row: Row, key: string) => boolean;
  sort?: ColumnSort | null;
  onSort?: (column: string) => void;
  /** The words that the rows were filtered by. */
  filter?: string;
  empty: ReactNode;
}

const nothing = () => undefined;
const indexOf = ({ index }: { index: number }) => index;

/** A table of any number of rows, by their place in the whole list. */
export function RowTable<Row extends { index: number }>(props: RowTableProps<Row>) {
  const { rows, onSelect, onOpen = nothing, filter = '', empty, ...rest } = props;
  const [widths, setWidths] = useState<ColumnWidths>({});
  const source = useMemo(() => (rows instanceof MadeRows ? rows : new ArrayRows(rows)), [rows]);
  return (
    <div className="flex fill min-w-0 relative">
      <VirtualTable
        {...rest}
        source={source}
        rowKey={indexOf}
        frameOf={nothing}
        onSelect={({ index }) => onSelect(index)}
        onOpen={onOpen}
        follow={false}
        onFollowChange={nothing}
        widths={widths}
        onWidthsChange={setWidths}
        empty={filter.trim() === '' ? empty : <EmptyState title={MODEL.noMatch(filter)} />}
      />
    </div>
  );
}

/** Makes a column of texts, which say the whole of themselves where the pointer rests. */
export function textColumn<Row>(
  column: Omit<Column<Row, undefined>, 'cell'>,
  textOf: (row: Row) => string,
): Column<Row, undefined> {
  const cell = (row: Row) => {
    const text = cellText(textOf(row));
    return <span title={text}>{text}</span>;
  };
  return { ...column, cell };
}
