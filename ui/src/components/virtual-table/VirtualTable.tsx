import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { lineAfter } from '@/components/line-keys';
import {
  type Column,
  type ColumnSort,
  type ColumnWidths,
  fittingColumns,
  widthProperties,
} from './columns';
import { HeaderRow } from './HeaderRow';
import type { RowSource } from './row-source';
import { physicalHeight, rowsAt } from './scroll-scale';
import { SkeletonRow, TableRow, type TreePlace } from './TableRow';
import { usePressedRow } from './use-pressed-row';
import { useScrollPosition } from './use-scroll-position';
import styles from './virtual-table.module.css';

const ROW_HEIGHT = 26;
const HEADER_HEIGHT = 24;
/** Rows that are drawn above and below those that are seen. */
export const MARGIN = 8;

type RowKey = number | string;

/** The row that the keyboard is at. Its key is not known before it is loaded. */
interface Cursor {
  readonly index: number;
  readonly key: RowKey | null;
}

interface VirtualTableProps<Row, Frame> {
  /** The grid's accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row, Frame>[];
  readonly source: RowSource<Row>;
  readonly rowKey: (row: Row) => RowKey;
  /** Returns what all rows on the screen have in common, from those that are seen. */
  readonly frameOf: (rows: readonly Row[]) => Frame;
  readonly selected: RowKey | null;
  /** The keyboard or the pointer is at another row. */
  readonly onSelect: (row: Row) => void;
  /** Enter, or a click. */
  readonly onOpen: (row: Row) => void;
  /**
   * Handles a key that does not move by itself; returns whether it was meant for that row.
   * `moveTo` goes to another row.
   */
  readonly onKey?: (row: Row, key: string, moveTo: (index: number) => void) => boolean;
  /** Asks for the menu of a cell, to be shown at an element. */
  readonly onMenu?: (row: Row, column: string, at: HTMLElement) => void;
  /** Separator between a row and the one before it, if there is one. */
  readonly separatorOf?: (row: Row) => string | null;
  /** The place of a row in a tree, for rows that are one: the grid is a tree grid then. */
  readonly treeOf?: (row: Row) => TreePlace;
  /** The row to go to, by its index; a new object each time. */
  readonly goTo?: { readonly index: number } | null;
  /** True if the last row stays in sight. */
  readonly follow: boolean;
  readonly onFollowChange: (follow: boolean) => void;
  readonly widths: ColumnWidths;
  readonly onWidthsChange: (widths: ColumnWidths) => void;
  /** The column by which the rows are sorted, if they are. */
  readonly sort?: ColumnSort | null;
  /** A heading was pressed; headings are buttons where this is given. */
  readonly onSort?: (column: string) => void;
  /** Shown in place of the rows when there are none. */
  readonly empty?: ReactNode;
}

/**
 * A grid of any number of rows, of which only those on the screen exist. Rows are of one height
 * and have no memory of their own, so a row costs the same whether it is the first or the ten
 * millionth; a library that measures each row would keep one entry for every row.
 */
export function VirtualTable<Row, Frame>(props: VirtualTableProps<Row, Frame>) {
  const { label, source, rowKey, frameOf, selected, onSelect, onOpen, widths } = props;
  useSyncExternalStore(source.subscribe, source.getVersion);
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [cursor, setCursor] = useState<Cursor | null>(null);

  const { count } = source;
  const { state, showRow } = useScrollPosition({
    scroller,
    rowCount: count,
    rowHeight: ROW_HEIGHT,
    headerHeight: HEADER_HEIGHT,
    prepended: source.prepended,
    generation: source.generation,
    follow: props.follow,
    onFollowChange: props.onFollowChange,
  });
  const { position, shift, viewport, width } = state;

  const rowsOf = { count, height: ROW_HEIGHT };
  const drawn = rowsAt(position, viewport, rowsOf, MARGIN);
  const seen = rowsAt(position, viewport, rowsOf, 0);
  const columns = useMemo(() => fittingColumns(props.columns, width), [props.columns, width]);
  const frame = frameOf(loadedRows(source, seen.first, seen.end));

  useEffect(() => {
    source.show(drawn.first, drawn.end);
  }, [source, drawn.first, drawn.end]);

  useCursorFollowsRow({ source, rowKey, drawn, cursor, setCursor, onSelect });
  // Keys begin at the row that is selected, also where another view selected it.
  const at = cursor?.index ?? placeOf(selected, source, rowKey, drawn);

  const moveCursor = useCallback(
    (index: number) => {
      if (source.count === 0) return;
      const target = Math.min(Math.max(0, index), source.count - 1);
      const row = source.row(target);
      setCursor({ index: target, key: row === undefined ? null : rowKey(row) });
      showRow(target);
      if (row !== undefined) onSelect(row);
    },
    [source, rowKey, showRow, onSelect],
  );

  const { goTo = null } = props;
  const gone = useRef<typeof goTo>(null);
  useEffect(() => {
    if (goTo === gone.current) return;
    gone.current = goTo;
    if (goTo) moveCursor(goTo.index);
  }, [goTo, moveCursor]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const view = { ...seen, height: viewport, lineHeight: ROW_HEIGHT };
    const target = lineAfter(event.key, at, count, view);
    if (target !== undefined) {
      event.preventDefault();
      moveCursor(target);
    } else if (event.key === 'Enter' && at !== null) {
      const row = source.row(at);
      if (row === undefined) return;
      event.preventDefault();
      onOpen(row);
    } else if (at !== null) {
      const row = source.row(at);
      if (row !== undefined && props.onKey?.(row, event.key, moveCursor)) event.preventDefault();
    }
  };

  const onContextMenu = (event: MouseEvent) => {
    const target = event.target as Element;
    // The key of the keyboard asks for the row that it is at.
    const isByKey = target.closest('[data-index]') === null;
    const element = isByKey
      ? document.getElementById(`${id}-${at}`)
      : target.closest<HTMLElement>('[data-index]');
    const row = element ? source.row(Number(element.dataset.index)) : undefined;
    if (!element || row === undefined || !props.onMenu) return;
    event.preventDefault();
    const cell = target.closest<HTMLElement>('[data-column]');
    setCursor({ index: Number(element.dataset.index), key: rowKey(row) });
    onSelect(row);
    props.onMenu(row, cell?.dataset.column ?? '', cell ?? element);
  };

  const press = usePressedRow(
    (index) => source.row(index),
    ({ index, row, fold }) => {
      setCursor({ index, key: rowKey(row) });
      onSelect(row);
      if (fold && props.onKey?.(row, fold === 'open' ? 'ArrowLeft' : 'ArrowRight', moveCursor))
        return;
      onOpen(row);
    },
  );

  // At the end of a list that scrolls each row that comes takes the place of one that goes. With
  // another number of places all rows are drawn anew, so a list that fills up keeps the number.
  const isFull = props.follow && drawn.first > 0;
  const slots = isFull ? drawn.end - drawn.first : mostDrawn(viewport);
  const rows: ReactNode[] = [];
  for (let index = drawn.first; index < drawn.end; index++) {
    const row = source.row(index);
    const top = index * ROW_HEIGHT - shift;
    const place = { index, top, id: `${id}-${index}`, isCurrent: at === index };
    rows.push(
      row === undefined ? (
        <SkeletonRow key={`waiting ${index}`} {...place} columns={columns} />
      ) : (
        <TableRow
          // A place on the screen, not a row: what scrolls out becomes what scrolls in.
          key={index % slots}
          {...place}
          row={row}
          separator={props.separatorOf?.(row) ?? null}
          frame={frame}
          columns={columns as readonly Column<unknown, unknown>[]}
          isSelected={selected === rowKey(row)}
          {...props.treeOf?.(row)}
        />
      ),
    );
  }

  const activeRow = at !== null && at >= drawn.first && at < drawn.end ? `${id}-${at}` : undefined;

  return (
    <div className={styles.table}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a grid or a tree grid, as its role says */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above */}
      <div
        ref={scroller}
        role={props.treeOf ? 'treegrid' : 'grid'}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        aria-activedescendant={activeRow}
        tabIndex={0}
        className={styles.grid}
        data-has-cursor={activeRow !== undefined || undefined}
        style={widthProperties(columns, widths) as CSSProperties}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <HeaderRow
          columns={columns}
          widths={widths}
          onWidthsChange={props.onWidthsChange}
          sort={props.sort ?? null}
          onSort={props.onSort}
        />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys for its rows */}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="rowgroup"
          className={styles.body}
          style={{ height: physicalHeight({ content: count * ROW_HEIGHT, viewport }) }}
          onMouseDown={press.onMouseDown}
          onMouseUp={press.onMouseUp}
          onClick={press.onClick}
        >
          {rows}
        </div>
      </div>
      {count === 0 && props.empty !== undefined && (
        <div className={styles.empty}>{props.empty}</div>
      )}
    </div>
  );
}

/**
 * Returns how many rows can be drawn at a time, also while the first and the last are seen in part.
 */
function mostDrawn(viewport: number): number {
  return Math.ceil(viewport / ROW_HEIGHT) + 1 + 2 * MARGIN;
}

function loadedRows<Row>(source: RowSource<Row>, first: number, end: number): Row[] {
  const rows: Row[] = [];
  for (let index = first; index < end; index++) {
    const row = source.row(index);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Returns the place of a row among those that are drawn; nothing for another. */
function placeOf<Row>(
  key: RowKey | null,
  source: RowSource<Row>,
  rowKey: (row: Row) => RowKey,
  drawn: { readonly first: number; readonly end: number },
): number | null {
  if (key === null) return null;
  for (let index = drawn.first; index < drawn.end; index++) {
    const row = source.row(index);
    if (row !== undefined && rowKey(row) === key) return index;
  }
  return null;
}

interface CursorOptions<Row> {
  readonly source: RowSource<Row>;
  readonly rowKey: (row: Row) => RowKey;
  readonly drawn: { readonly first: number; readonly end: number };
  readonly cursor: Cursor | null;
  readonly setCursor: (cursor: Cursor | null) => void;
  readonly onSelect: (row: Row) => void;
}

/** Keeps the cursor at its row when others come in before it, and selects it once it is loaded. */
function useCursorFollowsRow<Row>(options: CursorOptions<Row>): void {
  const { source, rowKey, drawn, cursor, setCursor, onSelect } = options;
  const prepended = useRef(source.prepended);
  useLayoutEffect(() => {
    const inserted = source.prepended - prepended.current;
    prepended.current = source.prepended;
    if (!cursor) return;
    const index = cursor.index + inserted;
    const row = source.row(index);
    if (cursor.key === null) {
      if (row === undefined) {
        if (inserted !== 0) setCursor({ index, key: null });
        return;
      }
      setCursor({ index, key: rowKey(row) });
      onSelect(row);
      return;
    }
    if (row !== undefined && rowKey(row) === cursor.key) {
      if (inserted !== 0) setCursor({ index, key: cursor.key });
      return;
    }
    if (row === undefined && index >= 0 && index < source.count) {
      if (inserted !== 0) setCursor({ index, key: cursor.key });
      return;
    }
    const place = placeOf(cursor.key, source, rowKey, drawn);
    setCursor(place === null ? null : { index: place, key: cursor.key });
  });
}
