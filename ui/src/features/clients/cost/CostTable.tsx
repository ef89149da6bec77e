import { useMemo, useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import type { Column, ColumnSort } from '@/components/virtual-table/columns';
import { formatCount } from '@/lib/format';
import { tokenText } from '@/state/clients/token-sums';
import styles from '../clients.module.css';
import { RowTable, textColumn } from '../RowTable';
import { COST, MODEL } from '../texts';
import { type CostRow, sortedRows } from './cost-rows';

interface CostTableProps {
  rows: readonly CostRow[];
  isOfAll: boolean;
  isExact: boolean;
}

/** The tools by what each costs, the heaviest first. */
export function CostTable({ rows, isOfAll, isExact }: CostTableProps) {
  const [selected, setSelected] = useState<number | null>(null);
  const [sort, setSort] = useState<ColumnSort | null>(null);
  const sorted = useMemo(() => sortedRows(rows, sort), [rows, sort]);
  const columns = useMemo(() => columnsOf(isOfAll, isExact), [isOfAll, isExact]);
  // Downwards, upwards, and as it came again; texts the other way around.
  const sortBy = (column: string) => {
    const isText = column === 'tool' || column === 'server';
    if (sort?.column !== column) setSort({ column, isDescending: !isText });
    else setSort(sort.isDescending === isText ? null : { column, isDescending: isText });
  };
  return (
    <RowTable
      label={COST.list}
      columns={columns}
      rows={sorted}
      selected={selected}
      onSelect={setSelected}
      sort={sort ?? { column: 'tokens', isDescending: true }}
      onSort={sortBy}
      empty={<EmptyState title={COST.none}>{COST.noneHint}</EmptyState>}
    />
  );
}

const SERVER = { id: 'server', title: MODEL.server, width: 130 };

function columnsOf(isOfAll: boolean, isExact: boolean): readonly Column<CostRow, undefined>[] {
  const figure = (
    id: string,
    title: string,
    tokensOf: (row: CostRow) => number,
    yields?: number,
  ): Column<CostRow, undefined> => ({
    id,
    title,
    width: 92,
    align: 'end',
    ...(yields === undefined ? {} : { yields }),
    cell: (row) => tokenText(tokensOf(row), isExact),
  });
  return [
    ...(isOfAll ? [textColumn(SERVER, (row: CostRow) => row.server)] : []),
    textColumn({ id: 'tool', title: MODEL.tool, width: 180, takesRest: true }, ({ name }) => name),
    {
      id: 'share',
      title: '',
      label: COST.share,
      width: 90,
      yields: 4,
      isFixed: true,
      cell: ({ share }) => (
        <span className={styles.gauge} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      ),
    },
    figure('tokens', COST.tokens, ({ tokens }) => tokens),
    figure('description', COST.description, ({ descriptionTokens }) => descriptionTokens),
    figure('schema', COST.schema, ({ schemaTokens }) => schemaTokens),
    figure('name', COST.name, ({ nameTokens }) => nameTokens, 3),
    {
      id: 'bytes',
      title: COST.bytes,
      width: 84,
      align: 'end',
      yields: 2,
      cell: ({ bytes }) => formatCount(bytes),
    },
  ];
}
