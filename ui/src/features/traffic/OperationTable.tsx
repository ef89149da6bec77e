import { type ReactNode, useState } from 'react';
import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import type { TreePlace } from '@/components/virtual-table/TableRow';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import type { ExportChoice } from '@/state/exports';
import { termOf } from './cell-term';
import { LatestButton } from './LatestButton';
import { OPERATION_COLUMNS } from './operation-columns';
import type { OperationLine, OperationRows } from './operation-rows';
import { OPERATIONS } from './operation-texts';
import { timeOf } from './operation-time';
import { type MenuPlace, TermMenu } from './TermMenu';
import { useColumnWidths } from './use-column-widths';
import { useFrame } from './use-frame';
import { useRows } from './use-record-rows';

interface OperationTableProps {
  readonly rows: OperationRows;
  readonly selected: ExchangeId | null;
  readonly onSelect: (row: ExchangeRow) => void;
  readonly onOpen: (row: ExchangeRow) => void;
  /** Narrows the operations by a term for one of their cells. */
  readonly onTerm: (term: string) => void;
  /** Sets the bookmark of a row, or takes it away; null where it cannot. */
  readonly onBookmark: ((row: ExchangeRow) => void) | null;
  /** Null for rows that are a file already. */
  readonly onExport: ((chosen: ExportChoice, row: ExchangeRow) => void) | null;
  /** The line to go to; a new object each time. */
  readonly goTo: { readonly index: number } | null;
  readonly empty: ReactNode;
}

/** The operations, each of which opens into the tree of its rows. */
export function OperationTable(props: OperationTableProps) {
  const { rows, selected, onSelect, onOpen, onTerm, onBookmark, onExport, goTo, empty } = props;
  const { list } = rows;
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const follows = useRows(list, () => list.follows);
  const isLoaded = useRows(list, () => list.loaded);
  const frameOf = useFrame(FRAME);
  const [widths, setWidths] = useColumnWidths('traffic.operation-columns');

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

  const openMenu = ({ row }: OperationLine, column: string, at: HTMLElement) => {
    const term = termOf(row, column) ?? termOf(row, 'method');
    if (term !== null) setMenu({ at, term, row });
  };

  return (
    <div className="flex min-w-0 min-h-0 w-full h-full relative">
      <VirtualTable
        label={OPERATIONS.label}
        columns={OPERATION_COLUMNS}
        source={rows}
        rowKey={idOf}
        frameOf={frameOf}
        selected={selected}
        onSelect={({ row }) => onSelect(row)}
        onOpen={({ row }) => onOpen(row)}
        onKey={press}
        onMenu={openMenu}
        treeOf={treeOf}
        goTo={goTo}
        follow={follows}
        onFollowChange={(follow) => (follow ? list.follow() : list.hold())}
        widths={widths}
        onWidthsChange={setWidths}
        empty={isLoaded ? empty : undefined}
      />
      {menu && (
        <TermMenu
          {...menu}
          onTerm={onTerm}
          onBookmark={onBookmark}
          onExport={onExport}
          onClose={() => setMenu(null)}
        />
      )}
      <LatestButton rows={list} />
    </div>
  );
}

function idOf({ row }: OperationLine): ExchangeId {
  return row.id;
}

function treeOf({ node, isOpen }: OperationLine): TreePlace {
  return { level: (node?.depth ?? 0) + 1, isOpen };
}

const FRAME = {
  timeOf: ({ row, summary }: OperationLine) => (summary ? timeOf(summary) : row),
  callOf: () => null,
};
