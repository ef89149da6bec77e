import { type ReactNode, useState } from 'react';
import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import type { ExportChoice } from '@/state/exports';
import { termOf } from './cell-term';
import { LatestButton } from './LatestButton';
import { separatorText } from './separator';
import { type MenuPlace, TermMenu } from './TermMenu';
import { COLUMNS } from './texts';
import { TRAFFIC_COLUMNS } from './traffic-columns';
import type { TrafficRows } from './traffic-rows';
import { useColumnWidths } from './use-column-widths';
import { useFrame } from './use-frame';
import { useRows } from './use-record-rows';

interface TrafficTableProps {
  readonly rows: TrafficRows;
  readonly selected: ExchangeId | null;
  readonly onSelect: (row: ExchangeRow) => void;
  readonly onOpen: (row: ExchangeRow) => void;
  /** Folds the rows of a call away, or shows them again. */
  readonly onFold: (call: ExchangeId, isFolded: boolean) => void;
  /** Narrows the rows by a term for one of their cells. */
  readonly onTerm: (term: string) => void;
  /** Sets the bookmark of a row, or takes it away; null where it cannot. */
  readonly onBookmark: ((row: ExchangeRow) => void) | null;
  /** Null for rows that are a file already. */
  readonly onExport: ((chosen: ExportChoice, row: ExchangeRow) => void) | null;
  /** The row to go to; a new object each time. */
  readonly goTo: { readonly index: number } | null;
  readonly empty: ReactNode;
}

/** The rows, and the way back to the newest one. */
export function TrafficTable(props: TrafficTableProps) {
  const { rows, selected, onSelect, onOpen, onFold, onTerm, onBookmark, onExport, goTo, empty } =
    props;
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const follows = useRows(rows, () => rows.follows);
  const isLoaded = useRows(rows, () => rows.loaded);
  const frameOf = useFrame(FRAME);
  const [widths, setWidths] = useColumnWidths('traffic.columns');

  const changeFollow = (follow: boolean) => {
    if (follow) rows.follow();
    else rows.hold();
  };

  const press = (row: ExchangeRow, key: string) => {
    if (key === 'ArrowLeft' && row.parent === null && row.folded_rows === 0) onFold(row.id, true);
    else if (key === 'ArrowLeft' && row.parent !== null) onFold(row.parent, true);
    else if (key === 'ArrowRight' && row.folded_rows > 0) onFold(row.id, false);
    else return false;
    return true;
  };

  const openMenu = (row: ExchangeRow, column: string, at: HTMLElement) => {
    const term = termOf(row, column) ?? termOf(row, 'method');
    if (term !== null) setMenu({ at, term, row });
  };

  return (
    <div className="flex min-w-0 min-h-0 w-full h-full relative">
      <VirtualTable
        label={COLUMNS.label}
        columns={TRAFFIC_COLUMNS}
        source={rows}
        rowKey={idOf}
        frameOf={frameOf}
        selected={selected}
        onSelect={onSelect}
        onOpen={onOpen}
        onKey={press}
        onMenu={openMenu}
        separatorOf={separatorText}
        goTo={goTo}
        follow={follows}
        onFollowChange={changeFollow}
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
      <LatestButton rows={rows} />
    </div>
  );
}

function idOf(row: ExchangeRow): ExchangeId {
  return row.id;
}

const FRAME = {
  timeOf: (row: ExchangeRow) => row,
  callOf: (row: ExchangeRow) => row.parent,
};
