import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classes } from '@/components/classes';
import { useVirtualRows } from '@/components/use-virtual-rows';
import { useWidth } from '@/components/use-width';
import styles from './config-grid.module.css';
import type { FileColumn, FileRow } from './file-rows';
import { GridRow } from './GridRow';
import { type Cursor, moveOfKey, rowOfCursor } from './grid-keys';
import { GRID } from './texts';
import { useCellDrag } from './use-cell-drag';

const ROW_HEIGHT = 28;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 4;
/** Pixels that a file's column needs to say what it holds, and to say that it holds nothing. */
const COLUMN = 130;
const EMPTY_COLUMN = 84;
const SERVER_COLUMN = 144;
const NO_COLUMNS: readonly FileColumn[] = [];

/** The place that is pointed at: a server, in one file where there is a column; or a file alone. */
export interface GridPlace {
  row: FileRow | null;
  column: FileColumn | null;
}

export interface GridHandle {
  focus(): void;
}

interface ConfigGridProps {
  columns: readonly FileColumn[];
  rows: readonly FileRow[];
  /** The search that the rows match. */
  search: string;
  /** Leaves the files out and shows the status of each server as text. */
  isCollapsed: boolean;
  /** The keys of the rows that are selected. */
  selected: ReadonlySet<string>;
  /** The key of the file that is selected, if one is. */
  selectedFile: string | null;
  ref?: React.Ref<GridHandle>;
  onSelect: (place: GridPlace, extend: boolean) => void;
  onOpen: (place: GridPlace) => void;
  /** Asks for the menu of a place, to be shown at an element. */
  onMenu: (place: GridPlace, at: HTMLElement) => void;
  /** Handles any other key; returns whether it was meant for that place. */
  onKey: (key: string, place: GridPlace) => boolean;
  /** A definition was dragged onto another file. */
  onDrop: (row: FileRow, from: string, to: string, isCopy: boolean) => void;
}

/**
 * A client's servers by its files. Of any number of servers the rows in view are drawn. The grid
 * itself has the focus and names the cell that the keyboard is at.
 */
export function ConfigGrid(props: ConfigGridProps) {
  const { columns, rows, isCollapsed, selected, selectedFile, onSelect, onOpen, onMenu } = props;
  const shown = isCollapsed ? NO_COLUMNS : columns;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const widths = useMemo(
    () => shown.map(({ file }) => (file.servers > 0 ? COLUMN : EMPTY_COLUMN)),
    [shown],
  );
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 });
  const id = useId();
  const virtualizer = useVirtualRows(scroller, rows.length, ROW_HEIGHT, OVERSCAN);
  const canDrop = (file: string) => shown.find(({ key }) => key === file)?.file.writable === true;
  const drag = useCellDrag(canDrop, (row, from, to, isCopy) => {
    const dragged = rows[row];
    if (dragged) props.onDrop(dragged, from, to, isCopy);
  });
  useImperativeHandle(props.ref, () => ({ focus: () => scroller.current?.focus() }));

  const at: Cursor = {
    row: Math.max(hasHead(shown) ? -1 : 0, rowOfCursor(cursor.row, rows, selected)),
    column: Math.max(0, Math.min(cursor.column, shown.length)),
  };
  const placeAt = ({ row, column }: Cursor): GridPlace => ({
    row: rows[row] ?? null,
    column: shown[column - 1] ?? null,
  });
  const cellId = ({ row, column }: Cursor) => `${id}-${row}-${column}`;

  const go = (next: Cursor, extend: boolean) => {
    setCursor(next);
    if (next.row >= 0) virtualizer.scrollToIndex(next.row);
    scrollToColumn(scroller.current, document.getElementById(cellId({ ...next, row: -1 })));
    onSelect(placeAt(next), extend);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(
      1,
      Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 2,
    );
    const next = moveOfKey(event, at, {
      first: hasHead(shown) ? -1 : 0,
      rows: rows.length,
      columns: shown.length + 1,
      page,
    });
    if (next) go(next, event.shiftKey);
    else if (event.key === 'Enter') onOpen(placeAt(at));
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const cell = document.getElementById(cellId(at));
      if (cell) onMenu(placeAt(at), cell);
    } else if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !props.onKey(event.key, placeAt(at))
    ) {
      return;
    }
    event.preventDefault();
  };

  /** The cell that an event is about. */
  const cellOf = (event: MouseEvent | PointerEvent) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-column]');
    if (!cell) return null;
    return {
      cell,
      place: { row: Number(cell.dataset.row), column: Number(cell.dataset.column) },
    };
  };
  const onClick = (event: MouseEvent) => {
    const found = cellOf(event);
    if (!found) return;
    const extend = event.shiftKey || event.ctrlKey || event.metaKey;
    go(found.place, extend);
    // Without a detail beside it, a click is meant to see it.
    if (isCollapsed && !extend) onOpen(placeAt(found.place));
  };
  const onContextMenu = (event: MouseEvent) => {
    const found = cellOf(event);
    if (!found) return;
    event.preventDefault();
    const row = rows[found.place.row];
    if (!row || !selected.has(row.key)) go(found.place, false);
    else setCursor(found.place);
    onMenu(placeAt(found.place), found.cell);
  };

  // What is selected from elsewhere, and what stands in another row after a change, is seen.
  useEffect(() => {
    if (at.row >= 0) virtualizer.scrollToIndex(at.row);
  }, [virtualizer, at.row]);

  const template = isCollapsed
    ? 'minmax(0, 1fr) minmax(0, 1fr)'
    : [`${SERVER_COLUMN}px`, ...widths.map((width) => `minmax(${width}px, ${width}fr)`)].join(' ');
  // Enough for `Shadowed by Project root` in each.
  const isTight = (width - SERVER_COLUMN) / Math.max(1, shown.length) < 164;
  const least = isCollapsed ? 0 : widths.reduce((sum, width) => sum + width, SERVER_COLUMN);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold windowed rows
    <div
      ref={scroller}
      role="grid"
      aria-label={GRID.label}
      aria-multiselectable="true"
      aria-rowcount={rows.length + 1}
      aria-colcount={shown.length + 1}
      aria-activedescendant={rows.length > 0 || at.row < 0 ? cellId(at) : undefined}
      tabIndex={0}
      className={classes(styles.grid, drag.isDragging && styles.dragging)}
      data-tight={isTight || undefined}
      style={{ '--columns': template, '--least': `${least}px` } as CSSProperties}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onDoubleClick={(event) => {
        const found = cellOf(event);
        if (found && !isCollapsed) onOpen(placeAt(found.place));
      }}
      {...drag.handlers}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" className={styles.head}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
        <div role="row" aria-rowindex={1} className={styles.headRow}>
          {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          <div
            role="columnheader"
            id={cellId({ row: -1, column: 0 })}
            className={classes(styles.corner, styles.pinned)}
          >
            {GRID.server}
          </div>
          {isCollapsed && (
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div role="columnheader" className={styles.corner}>
              {GRID.state}
            </div>
          )}
          {shown.map((column, index) => (
            <ColumnHead
              key={column.key}
              column={column}
              id={cellId({ row: -1, column: index + 1 })}
              index={index + 1}
              isCurrent={at.row === -1 && at.column === index + 1}
              isSelected={selectedFile === column.key}
              isTarget={drag.target === column.key}
            />
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <GridRow
              key={row.key}
              id={`${id}-${index}`}
              index={index}
              top={start}
              row={row}
              search={props.search}
              columns={shown}
              isCollapsed={isCollapsed}
              isSelected={selected.has(row.key)}
              currentColumn={at.row === index ? at.column : null}
              dropFile={drag.isDragging && drag.row === index ? drag.target : null}
            />
          );
        })}
      </div>
    </div>
  );
}

function hasHead(columns: readonly FileColumn[]): boolean {
  return columns.length > 0;
}

interface ColumnHeadProps {
  column: FileColumn;
  id: string;
  index: number;
  isCurrent: boolean;
  isSelected: boolean;
  isTarget: boolean;
}

function ColumnHead({ column, id, index, isCurrent, isSelected, isTarget }: ColumnHeadProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its cell
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold windowed rows
    <div
      role="columnheader"
      id={id}
      aria-colindex={index + 1}
      aria-selected={isSelected}
      data-row={-1}
      data-column={index}
      data-file={column.key}
      data-current={isCurrent || undefined}
      data-missing={column.file.state === 'missing' || undefined}
      data-target={isTarget || undefined}
      className={styles.columnHead}
      title={`${column.file.note}\n${column.file.path}`}
    >
      <span className={styles.columnTitle}>
        {column.file.title}
        {column.note && (
          <span className={styles.columnNote} data-tone={column.note.tone}>
            {column.note.label}
          </span>
        )}
      </span>
      <span className={styles.columnPath}>{column.file.label}</span>
    </div>
  );
}

/** Brings a file's column into view beside the pinned one. */
function scrollToColumn(scroller: HTMLElement | null, head: HTMLElement | null): void {
  if (!scroller || !head || head.dataset.file === undefined) return;
  const left = head.offsetLeft - SERVER_COLUMN;
  const hidden = left + head.offsetWidth - (scroller.clientWidth - SERVER_COLUMN);
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (hidden > scroller.scrollLeft) scroller.scrollLeft = hidden;
}
