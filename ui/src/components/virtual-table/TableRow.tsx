import { memo } from 'react';
import { type Column, cellFlex } from './columns';
import styles from './virtual-table.module.css';

interface Place {
  /** Counted from the first row of the table. */
  readonly index: number;
  /** Pixels below the top of the table's body. */
  readonly top: number;
  readonly id: string;
  /** True if the keyboard is at it. */
  readonly isCurrent: boolean;
}

/** Place of a row in a tree. */
export interface TreePlace {
  /** 1 for the rows that stand for themselves. */
  readonly level: number;
  /** True if the rows below it are shown; null where there are none. */
  readonly isOpen: boolean | null;
}

interface TableRowProps extends Place, Partial<TreePlace> {
  readonly row: unknown;
  readonly frame: unknown;
  readonly columns: readonly Column<unknown, unknown>[];
  readonly isSelected: boolean;
  /** Separator between this row and the one before it. */
  readonly separator: string | null;
}

/** A row. What it is given decides what it shows, so it is drawn again only when that differs. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, frame, columns } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold windowed rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its row
    <div
      role="row"
      id={props.id}
      // The header is the first.
      aria-rowindex={props.index + 2}
      aria-selected={props.isSelected}
      aria-level={props.level}
      aria-expanded={props.isOpen ?? undefined}
      data-index={props.index}
      data-current={props.isCurrent || undefined}
      className={styles.row}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {props.separator !== null && (
        <div className={styles.separator} title={props.separator} aria-hidden="true" />
      )}
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={column.id}
          role="gridcell"
          className={styles.cell}
          data-column={column.id}
          data-align={column.align}
          style={{ flex: cellFlex(column) }}
        >
          {column.cell(row, frame)}
        </div>
      ))}
    </div>
  );
});

interface SkeletonRowProps extends Place {
  readonly columns: readonly Pick<Column<never, never>, 'id' | 'takesRest'>[];
}

/** Stands where a row is still being loaded. Fades in late, so that short waits show nothing. */
export function SkeletonRow(props: SkeletonRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold windowed rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its row
    <div
      role="row"
      id={props.id}
      aria-rowindex={props.index + 2}
      aria-busy="true"
      data-current={props.isCurrent || undefined}
      className={styles.row}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {props.columns.map((column, order) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={column.id}
          role="gridcell"
          className={styles.cell}
          style={{ flex: cellFlex(column) }}
        >
          <span
            className={styles.skeleton}
            style={{ width: `${35 + ((props.index * 7 + order * 23) % 40)}%` }}
          />
        </div>
      ))}
    </div>
  );
}
