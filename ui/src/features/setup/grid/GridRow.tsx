import { memo } from 'react';
import { classes } from '@/components/classes';
import { Glyph } from '@/components/Glyph';
import { Highlight } from '@/components/Highlight';
import { visibleText } from '@/lib/visible-text';
import styles from './config-grid.module.css';
import { type FileColumn, type FileRow, fullLabel } from './file-rows';
import { GRID } from './texts';

interface GridRowProps {
  id: string;
  index: number;
  top: number;
  row: FileRow;
  /** The search that the rows match. */
  search: string;
  columns: readonly FileColumn[];
  isCollapsed: boolean;
  isSelected: boolean;
  /** The column that the keyboard is at, if it is at this row. */
  currentColumn: number | null;
  /** The file over which a definition of this row is being dragged. */
  dropFile: string | null;
}

/** A server across the files. Drawn again only when what it shows differs. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, row, columns, isCollapsed, currentColumn } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold windowed rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its cell
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
      className={styles.row}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div
        role="rowheader"
        id={`${id}-0`}
        aria-colindex={1}
        data-row={index}
        data-column={0}
        data-current={currentColumn === 0 || undefined}
        className={classes(styles.cell, styles.pinned)}
        title={visibleText(row.name)}
      >
        <Glyph glyph={row.status.glyph} tone={row.status.tone} />
        <span className={styles.name} data-quiet={row.status.tone === 'idle' || undefined}>
          <Highlight text={visibleText(row.name)} search={props.search} />
        </span>
        {row.source.changedOutside && (
          <span className="flex-none push text-small busy" title={GRID.changedOutside}>
            {GRID.changed}
          </span>
        )}
      </div>
      {isCollapsed && (
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div role="gridcell" data-row={index} data-column={0} className={styles.cell}>
          <span className={styles.text} data-tone={row.status.tone}>
            {visibleText(row.status.label)}
          </span>
        </div>
      )}
      {columns.map((column, order) => {
        const cell = row.cells.get(column.key);
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div
            key={column.key}
            role="gridcell"
            id={`${id}-${order + 1}`}
            aria-colindex={order + 2}
            aria-label={cell ? undefined : GRID.notIn(column.file.title)}
            data-row={index}
            data-column={order + 1}
            data-file={column.key}
            data-defined={cell ? true : undefined}
            data-current={currentColumn === order + 1 || undefined}
            data-target={props.dropFile === column.key || undefined}
            className={styles.cell}
            style={{ gridColumn: order + 2 }}
            title={cell && visibleText(fullLabel(cell.status))}
          >
            {cell && (
              <>
                <Glyph glyph={cell.status.glyph} tone={cell.status.tone} />
                <span className={styles.text} data-tone={cell.status.tone}>
                  {visibleText(cell.status.label)}
                  {cell.status.more && (
                    <span className={styles.more}> {visibleText(cell.status.more)}</span>
                  )}
                </span>
                {cell.warning && (
                  <span className={styles.warning} title={visibleText(cell.warning)}>
                    ▲<span className="visually-hidden">{GRID.withWarning}</span>
                  </span>
                )}
              </>
            )}
          </div>
        );
      })}
    </div>
  );
});
