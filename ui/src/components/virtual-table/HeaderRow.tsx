import { usePointerDrag } from '@/components/use-pointer-drag';
import { type Column, type ColumnSort, type ColumnWidths, cellFlex, clampWidth } from './columns';
import styles from './virtual-table.module.css';

interface HeaderRowProps<Row, Frame> {
  readonly columns: readonly Column<Row, Frame>[];
  readonly widths: ColumnWidths;
  readonly onWidthsChange: (widths: ColumnWidths) => void;
  readonly sort: ColumnSort | null;
  readonly onSort: ((column: string) => void) | undefined;
}

/** The headings, which stay at the top; their right edges resize columns. */
export function HeaderRow<Row, Frame>(props: HeaderRowProps<Row, Frame>) {
  const { columns, widths, onWidthsChange, sort, onSort } = props;
  const resize = (id: string, width: number) =>
    onWidthsChange({ ...widths, [id]: clampWidth(width) });
  const reset = (id: string) => {
    const { [id]: _, ...others } = widths;
    onWidthsChange(others);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold windowed rows
    <div role="rowgroup" className={styles.head}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        {columns.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={column.id}
            role="columnheader"
            // WebKitGTK takes no name from the words inside.
            aria-label={column.title || column.label}
            className={styles.heading}
            data-align={column.align}
            aria-sort={onSort && ariaSort(column.id, sort)}
            style={{ flex: cellFlex(column), paddingLeft: column.indent }}
          >
            {onSort ? (
              <button type="button" className={styles.sorts} onClick={() => onSort(column.id)}>
                <Title column={column} />
                {sort?.column === column.id && (
                  <span aria-hidden="true">{sort.isDescending ? '▾' : '▴'}</span>
                )}
              </button>
            ) : (
              <Title column={column} />
            )}
            {!column.isFixed && (
              <ResizeHandle
                onResize={(width) => resize(column.id, width)}
                onReset={() => reset(column.id)}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function Title({
  column: { title, label },
}: {
  column: Pick<Column<never, never>, 'title' | 'label'>;
}) {
  return (
    <span className="ellipsis">{title || <span className="visually-hidden">{label}</span>}</span>
  );
}

function ariaSort(id: string, sort: ColumnSort | null): 'ascending' | 'descending' | 'none' {
  if (sort?.column !== id) return 'none';
  return sort.isDescending ? 'descending' : 'ascending';
}

interface ResizeHandleProps {
  readonly onResize: (width: number) => void;
  readonly onReset: () => void;
}

/** Drags a column's right edge; a double click gives the column its first width again. */
function ResizeHandle({ onResize, onReset }: ResizeHandleProps) {
  const drag = usePointerDrag(
    (event) => {
      const heading = event.currentTarget.parentElement;
      if (!heading) return null;
      event.preventDefault();
      return { x: event.clientX, width: heading.getBoundingClientRect().width };
    },
    (start, event) => onResize(start.width + event.clientX - start.x),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: columns keep their widths without it.
    <span aria-hidden="true" className={styles.handle} {...drag} onDoubleClick={onReset} />
  );
}
