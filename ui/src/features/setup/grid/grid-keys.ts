/** A place in the grid: `row` -1 is the head, `column` 0 the server's name. */
export interface Cursor {
  row: number;
  column: number;
}

interface Extent {
  /** The first row that there is: -1 with a head that can be reached. */
  first: number;
  rows: number;
  columns: number;
  /** Rows that are seen at a time. */
  page: number;
}

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * The row that the cursor is at. It stays with what is selected when rows come, go or change
 * their order, so that no key is meant for another server than the one that is explained.
 */
export function rowOfCursor(
  row: number,
  rows: readonly { key: string }[],
  selected: ReadonlySet<string>,
): number {
  if (row < 0) return row;
  const current = rows[row];
  if (current && (selected.size === 0 || selected.has(current.key))) return row;
  const index = rows.findIndex(({ key }) => selected.has(key));
  return index < 0 ? Math.min(row, rows.length - 1) : index;
}

/**
 * Returns the cell to which a key moves the cursor (WAI-ARIA Authoring Practices, Grid); null for
 * other keys.
 */
export function moveOfKey(pressed: Key, at: Cursor, extent: Extent): Cursor | null {
  if (pressed.altKey) return null;
  const held = pressed.ctrlKey || pressed.metaKey;
  const last = extent.rows - 1;
  const row = (to: number) => ({ ...at, row: Math.max(extent.first, Math.min(last, to)) });
  const column = (to: number) => ({
    ...at,
    column: Math.max(0, Math.min(extent.columns - 1, to)),
  });
  if (held) {
    if (pressed.key === 'Home') return { row: Math.min(0, last), column: 0 };
    if (pressed.key === 'End') return { row: last, column: extent.columns - 1 };
    return null;
  }
  switch (pressed.key) {
    case 'ArrowDown':
    case 'j':
      return row(at.row + 1);
    case 'ArrowUp':
    case 'k':
      // The head holds files only: from a server's name there is nothing above the first.
      return at.column === 0 ? { ...at, row: Math.max(0, at.row - 1) } : row(at.row - 1);
    case 'PageDown':
      return row(at.row + extent.page);
    case 'PageUp':
      return { ...at, row: Math.max(0, at.row - extent.page) };
    case 'ArrowRight':
    case 'l':
      return column(at.column + 1);
    case 'ArrowLeft':
    case 'h':
      return at.row < 0 && at.column === 1 ? null : column(at.column - 1);
    case 'Home':
      return at.row < 0 ? column(1) : column(0);
    case 'End':
      return column(extent.columns - 1);
    default:
      return null;
  }
}
