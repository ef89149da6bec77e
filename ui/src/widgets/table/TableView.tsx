import { ChevronDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Menu } from '@/components/Menu';
import { ArrayRows } from '@/components/virtual-table/array-rows';
import type { Column, ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { copyText } from '@/lib/clipboard';
import { writeDelimited, writeMarkdown } from '@/lib/table/delimited';
import { type Cell, isNumeric, type Sort, sortedRows, type Table } from '@/lib/table/table';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import styles from './table.module.css';
import { TABLE } from './texts';

interface Props {
  table: Table;
  /** The name of what the table was sent in. */
  name: string;
}

/** The widest column at the start, in pixels, and the narrowest. */
const WIDEST = 320;
const NARROWEST = 60;
/** Pixels of a character, about, and of the padding of a cell. */
const CHARACTER = 7.4;
const PADDING = 24;
/** Characters of a cell that are drawn. */
const MAX_CELL_LENGTH = 500;

/** A row of a table with its place in it. */
interface PlacedRow {
  index: number;
  cells: readonly Cell[];
}

const placed = (cells: readonly Cell[], index: number): PlacedRow => ({ index, cells });

const nothing = () => undefined;

/** A table with columns that sort it. Numbers are shown digit by digit as they came. */
export function TableView({ table, name }: Props) {
  const [sort, setSort] = useState<Sort | null>(null);
  const [widths, setWidths] = useState<ColumnWidths>({});
  const [selected, setSelected] = useState<number | null>(null);
  const columns = useMemo(() => columnsOf(table), [table]);
  const rows = useMemo(() => sortedRows(table, sort), [table, sort]);
  const source = useMemo(() => new ArrayRows(rows.map(placed)), [rows]);
  const copy = (text: string) => copyText(text).then(() => showNote(TABLE.copied), showError);
  const sortBy = (id: string) => {
    const column = Number(id.slice(1));
    setSelected(null);
    // As it came, upwards, downwards, and as it came again.
    if (sort?.column !== column) setSort({ column, isDescending: false });
    else setSort(sort.isDescending ? null : { column, isDescending: true });
  };
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <span className="figures remark">
          {TABLE.rows(table.rows.length, table.columns.length)}
          {table.isCut && ` · ▲ ${TABLE.cut}`}
        </span>
        <Menu
          label={TABLE.copy}
          trigger={
            <Button variant="quiet">
              {TABLE.copy} <ChevronDown size={12} />
            </Button>
          }
          groups={[
            [
              {
                id: 'csv',
                title: TABLE.csv,
                run: () => void copy(writeDelimited(table.columns, rows, ',')),
              },
              {
                id: 'tsv',
                title: TABLE.tsv,
                run: () => void copy(writeDelimited(table.columns, rows, '\t')),
              },
              {
                id: 'markdown',
                title: TABLE.markdown,
                run: () => void copy(writeMarkdown(table.columns, rows)),
              },
            ],
          ]}
        />
      </div>
      <div className="stack fill relative">
        <VirtualTable
          label={TABLE.label(name)}
          columns={columns}
          source={source}
          rowKey={({ index }) => index}
          frameOf={nothing}
          selected={selected}
          onSelect={({ index }) => setSelected(index)}
          onOpen={nothing}
          follow={false}
          onFollowChange={nothing}
          widths={widths}
          onWidthsChange={setWidths}
          sort={sort && { column: `c${sort.column}`, isDescending: sort.isDescending }}
          onSort={sortBy}
          empty={<EmptyState title={TABLE.empty}>{TABLE.emptyHint}</EmptyState>}
        />
      </div>
    </div>
  );
}

function columnsOf(table: Table): readonly Column<PlacedRow, undefined>[] {
  return table.columns.map((title, column) => {
    const lengths = table.rows.slice(0, 100).map((row) => row[column]?.length ?? 0);
    const longest = Math.max(title.length + 2, ...lengths);
    return {
      id: `c${column}`,
      title: visibleText(title) || `${column + 1}`,
      width: Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest * CHARACTER + PADDING))),
      align: isNumeric(table, column) ? ('end' as const) : undefined,
      cell: ({ cells }) => {
        const cell = cells[column];
        if (cell === undefined) return null;
        const text = visibleText(cell.slice(0, MAX_CELL_LENGTH));
        return <span title={text}>{cell.length > MAX_CELL_LENGTH ? `${text}…` : text}</span>;
      },
    };
  });
}
