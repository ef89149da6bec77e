import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { Button } from '@/components/Button';
import type { Column, ColumnWidths } from '@/components/virtual-table/columns';
import type { RowSource } from '@/components/virtual-table/row-source';
import type { TreePlace } from '@/components/virtual-table/TableRow';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { hasNumbers } from '@/lib/objects';
import { recall, remember } from '@/lib/remembered';
import type { ExportChoice } from '@/state/record/exports';
import { termOf } from '../filter/cell-term';
import { type MenuPlace, TermMenu } from '../filter/TermMenu';
import type { TrafficFrame } from '../messages/TrafficCells';
import { BAR } from '../texts';
import type { RowsInView } from './record-rows';
import styles from './traffic-table.module.css';
import { useRows } from './use-record-rows';
import { type Timed, timeScale, useNow } from './waterfall';

/** Properties that every table of a record has, whatever its rows are. */
export interface RecordTableProps {
  readonly selected: ExchangeId | null;
  readonly onSelect: (row: ExchangeRow) => void;
  readonly onOpen: (row: ExchangeRow) => void;
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

/** Rows of one kind, as a table shows them. */
export interface RowKind<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row, TrafficFrame>[];
  /** The name under which the widths of the columns are remembered. */
  readonly widths: string;
  /** The message that a row stands for. */
  rowOf(row: Row): ExchangeRow;
  timeOf(row: Row): Timed;
  /** The call that a row came during. */
  callOf(row: Row): ExchangeId | null;
  separatorOf?(row: Row): string | null;
  treeOf?(row: Row): TreePlace;
}

interface KindProps<Row> extends RecordTableProps {
  readonly kind: RowKind<Row>;
  readonly source: RowSource<Row>;
  /** The part of the record that the rows are of. */
  readonly list: RowsInView;
  readonly onKey: (row: Row, key: string, moveTo: (index: number) => void) => boolean;
}

/** The rows, and the way back to the newest one. */
export function RecordTable<Row>(props: KindProps<Row>) {
  const { kind, source, list, selected, onSelect, onOpen, onKey, onTerm, onBookmark } = props;
  const { rowOf } = kind;
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const follows = useRows(list, () => list.follows);
  const isLoaded = useRows(list, () => list.loaded);
  const frameOf = useFrame(kind);
  const [widths, setWidths] = useColumnWidths(kind.widths);

  const openMenu = (at: Row, column: string, cell: HTMLElement) => {
    const row = rowOf(at);
    const term = termOf(row, column) ?? termOf(row, 'method');
    if (term !== null) setMenu({ at: cell, term, row });
  };

  return (
    <div className="flex min-w-0 min-h-0 w-full h-full relative">
      <VirtualTable
        label={kind.label}
        columns={kind.columns}
        source={source}
        rowKey={(row) => rowOf(row).id}
        frameOf={frameOf}
        selected={selected}
        onSelect={(row) => onSelect(rowOf(row))}
        onOpen={(row) => onOpen(rowOf(row))}
        onKey={onKey}
        onMenu={openMenu}
        separatorOf={kind.separatorOf}
        treeOf={kind.treeOf}
        goTo={props.goTo}
        follow={follows}
        onFollowChange={(follow) => (follow ? list.follow() : list.hold())}
        widths={widths}
        onWidthsChange={setWidths}
        empty={isLoaded ? props.empty : undefined}
      />
      {menu && (
        <TermMenu
          {...menu}
          onTerm={onTerm}
          onBookmark={onBookmark}
          onExport={props.onExport}
          onClose={() => setMenu(null)}
        />
      )}
      <LatestButton rows={list} />
    </div>
  );
}

/** The way back to the newest row, from rows that stand still. */
function LatestButton({ rows }: { rows: RowsInView }) {
  const follows = useRows(rows, () => rows.follows);
  const isPaused = useRows(rows, () => rows.paused);
  const newer = useRows(rows, () => rows.newer);
  if (follows || isPaused) return null;
  return (
    <Button className={styles.latest} onPress={() => rows.follow()}>
      <ArrowDown size={13} />
      {BAR.latest}
      {newer > 0 && <span className="remark">{BAR.newer(newer)}</span>}
    </Button>
  );
}

/** The widths of a table's columns that the user chose, also for the next time the window opens. */
function useColumnWidths(name: string): [ColumnWidths, (widths: ColumnWidths) => void] {
  const [widths, setWidths] = useState<ColumnWidths>(() => recall(name, hasNumbers) ?? {});
  const change = (changed: ColumnWidths) => {
    setWidths(changed);
    remember(name, changed);
  };
  return [widths, change];
}

/** Facts about rows that their common frame is made of. */
interface FrameTraits<Row> {
  timeOf(row: Row): Timed;
  /** The call that a row came during. */
  callOf(row: Row): ExchangeId | null;
}

/** The time scale of the rows on the screen; the same object while it stays the same scale. */
function useFrame<Row>({
  timeOf,
  callOf,
}: FrameTraits<Row>): (rows: readonly Row[]) => TrafficFrame {
  const { now, watch } = useNow();
  const last = useRef<TrafficFrame | null>(null);
  return useCallback(
    (rows) => {
      const times = rows.map(timeOf);
      const isPending = times.some(({ outcome }) => outcome === 'pending');
      watch(isPending);
      const scale = timeScale(times, now);
      const { current: known } = last;
      const calls = new Set(rows.flatMap((row) => callOf(row) ?? []));
      const isSame =
        known !== null &&
        known.calls.size === calls.size &&
        [...calls].every((call) => known.calls.has(call)) &&
        known.scale.start === scale.start &&
        known.scale.end === scale.end &&
        String(known.scale.pauses) === String(scale.pauses) &&
        (known.now === now || !isPending);
      if (isSame) return known;
      last.current = { scale, now, calls };
      return last.current;
    },
    [now, watch, timeOf, callOf],
  );
}
