import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { MenuList } from '@/components/Menu';
import type { ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { recall, remember } from '@/lib/remembered';
import type { ExportChoice } from '@/state/exports';
import { termOf } from './cell-term';
import { separatorText } from './separator';
import { BAR, COLUMNS, EXPORTS, FILTER } from './texts';
import { TRAFFIC_COLUMNS, type TrafficFrame } from './traffic-columns';
import type { TrafficRows } from './traffic-rows';
import styles from './traffic-table.module.css';
import { useNow } from './use-now';
import { useRows } from './use-traffic-rows';
import { timeScale } from './waterfall';

const WIDTHS = 'traffic.columns';

interface TrafficTableProps {
  readonly rows: TrafficRows;
  readonly selected: ExchangeId | null;
  readonly onSelect: (row: ExchangeRow) => void;
  readonly onOpen: (row: ExchangeRow) => void;
  /** Folds the rows of a call away, or shows them again. */
  readonly onFold: (call: ExchangeId, isFolded: boolean) => void;
  /** Narrows the rows by a term for one of their cells. */
  readonly onTerm: (term: string) => void;
  /** Null for rows that are a file already. */
  readonly onExport: ((chosen: ExportChoice, row: ExchangeRow) => void) | null;
  readonly empty: ReactNode;
}

/** The cell whose menu is open. */
interface MenuPlace {
  readonly at: HTMLElement;
  readonly term: string;
  readonly row: ExchangeRow;
}

/** The rows, and the way back to the newest one. */
export function TrafficTable(props: TrafficTableProps) {
  const { rows, selected, onSelect, onOpen, onFold, onTerm, onExport, empty } = props;
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const follows = useRows(rows, () => rows.follows);
  const isPaused = useRows(rows, () => rows.paused);
  const newer = useRows(rows, () => rows.newer);
  const isLoaded = useRows(rows, () => rows.loaded);
  const frameOf = useFrame();
  const [widths, setWidths] = useState<ColumnWidths>(() => recall(WIDTHS, isWidths) ?? {});

  const changeWidths = (changed: ColumnWidths) => {
    setWidths(changed);
    remember(WIDTHS, changed);
  };

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
    <div className={styles.frame}>
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
        follow={follows}
        onFollowChange={changeFollow}
        widths={widths}
        onWidthsChange={changeWidths}
        empty={isLoaded ? empty : undefined}
      />
      {menu && (
        <TermMenu {...menu} onTerm={onTerm} onExport={onExport} onClose={() => setMenu(null)} />
      )}
      {!follows && !isPaused && (
        <Button className={styles.latest} onPress={() => rows.follow()}>
          <ArrowDown size={13} aria-hidden="true" />
          {BAR.latest}
          {newer > 0 && <span className={styles.newer}>{BAR.newer(newer)}</span>}
        </Button>
      )}
    </div>
  );
}

interface TermMenuProps extends MenuPlace {
  readonly onTerm: (term: string) => void;
  /** Null for rows that are a file already. */
  readonly onExport: ((chosen: ExportChoice, row: ExchangeRow) => void) | null;
  readonly onClose: () => void;
}

/** Menu of the value of one cell. */
function TermMenu({ at, term, row, onTerm, onExport, onClose }: TermMenuProps) {
  const trigger = useRef(at);
  return (
    <MenuList
      label={FILTER.byTerm(term)}
      triggerRef={trigger}
      onClose={onClose}
      groups={[
        [
          { id: 'only', title: FILTER.only(term), run: () => onTerm(term) },
          { id: 'hide', title: FILTER.hide, run: () => onTerm(`-${term}`) },
        ],
        ...(onExport === null
          ? []
          : [
              [
                { id: 'export', title: EXPORTS.row, run: () => onExport('row', row) },
                {
                  id: 'export-connection',
                  title: EXPORTS.connection,
                  run: () => onExport('connection', row),
                },
              ],
            ]),
      ]}
    />
  );
}

function idOf(row: ExchangeRow): ExchangeId {
  return row.id;
}

/** The time scale of the rows on the screen; the same object while it stays the same scale. */
function useFrame(): (rows: readonly ExchangeRow[]) => TrafficFrame {
  const { now, watch } = useNow();
  const last = useRef<TrafficFrame | null>(null);
  return useCallback(
    (rows) => {
      const isPending = rows.some((row) => row.outcome === 'pending');
      watch(isPending);
      const scale = timeScale(rows, now);
      const { current: known } = last;
      const calls = new Set(rows.flatMap(({ parent }) => parent ?? []));
      const isSame =
        known !== null &&
        known.calls.size === calls.size &&
        [...calls].every((call) => known.calls.has(call)) &&
        known.scale.start === scale.start &&
        known.scale.end === scale.end &&
        (known.now === now || !isPending);
      if (isSame) return known;
      last.current = { scale, now, calls };
      return last.current;
    },
    [now, watch],
  );
}

function isWidths(value: unknown): value is ColumnWidths {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((width) => typeof width === 'number')
  );
}
