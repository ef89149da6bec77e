import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useId, useMemo, useRef, useState } from 'react';
import type { MenuEntry } from '@/components/Menu';
import { formatQuantity } from '@/lib/format';
import { type ExactValue, readExact, stringifyExact } from '@/lib/json/exact';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showNote } from '@/state/notices';
import styles from './json-view.module.css';
import { rowsOf, type TreeRow } from './rows';
import { type JsonAction, ValueMenu } from './ValueMenu';

const ROW_HEIGHT = 18;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 12;
/** A row of fewer characters has room in the narrowest pane, so that it need not be measured. */
const NEVER_WRAPS = 22;
/** A longer string is cut until the user asks for all of it. */
const MAX_STRING_LENGTH = 1500;

interface JsonViewProps {
  /** JSON, of at most some hundred kilobytes; larger payloads belong into a `LineView`. */
  text: string;
  /** Its accessible name. */
  label: string;
  /** Fills its place and scrolls; otherwise it is as high as its rows, up to a limit. */
  fills?: boolean;
  /** Stands in the menu of a row beside its copies. */
  action?: JsonAction | undefined;
}

/** JSON as a tree that folds. Numbers are shown digit by digit as they came. */
export function JsonView({ text, label, fills = false, action }: JsonViewProps) {
  const value = useMemo(() => readExact(text), [text]);
  if (value === undefined) {
    return <pre className={styles.plain}>{visibleLines(text)}</pre>;
  }
  return <Tree key={text} value={value} label={label} fills={fills} action={action} />;
}

interface TreeProps {
  value: ExactValue;
  label: string;
  fills: boolean;
  action: JsonAction | undefined;
}

function Tree({ value, label, fills, action }: TreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const [hovered, setHovered] = useState<number>();
  const id = useId();
  const rows = useMemo(() => rowsOf(value, toggled), [value, toggled]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    useFlushSync: false,
    getItemKey: (index) => `${rows[index]?.pointer} ${rows[index]?.kind === 'end'}`,
  });

  const toggle = (row: TreeRow) => {
    if (row.kind === 'leaf') return;
    const next = new Set(toggled);
    if (!next.delete(row.pointer)) next.add(row.pointer);
    setToggled(next);
  };
  const move = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    virtualizer.scrollToIndex(next);
    // The button that had it goes with its row.
    scroller.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if (!row) return;
    const { key } = event;
    const copies = (event.ctrlKey || event.metaKey) && key.toLowerCase() === 'c';
    if (copies && (getSelection()?.isCollapsed ?? true)) {
      copy(event.shiftKey ? 'path' : 'value', row);
    } else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (key === 'ArrowDown' || key === 'j') move(active + 1);
    else if (key === 'ArrowUp' || key === 'k') move(active - 1);
    else if (key === 'Home') move(0);
    else if (key === 'End') move(rows.length - 1);
    else if (key === 'ArrowRight' && row.kind === 'closed') toggle(row);
    else if (key === 'ArrowRight') move(active + 1);
    else if (key === 'ArrowLeft' && row.kind === 'open') toggle(row);
    else if (key === 'ArrowLeft') move(parentOf(rows, active));
    else if ((key === 'Enter' || key === ' ') && row.kind !== 'leaf') toggle(row);
    else if ((key === 'Enter' || key === 'e') && action) {
      scroller.current?.querySelector<HTMLElement>('[aria-selected="true"] [data-menu]')?.click();
    } else return;
    event.preventDefault();
  };

  const onClick = ({ target }: { target: EventTarget }) => {
    const row = rows[indexOf(target)];
    if (!row || !(target instanceof Element)) return;
    setActive(indexOf(target));
    if (target.closest('[data-fold]')) toggle(row);
    if (target.closest('[data-whole]')) setWhole(new Set([...whole, row.pointer]));
  };
  // A row whose menu is open stays at hand while the pointer is in the menu.
  const onFocus = ({ target }: { target: EventTarget }) => {
    if (rows[indexOf(target)]) setActive(indexOf(target));
  };

  return (
    <div
      ref={scroller}
      className={styles.tree}
      data-fills={fills || undefined}
      role="tree"
      aria-label={label}
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={onFocus}
      onMouseOver={({ target }) => setHovered(indexOf(target))}
      onMouseLeave={() => setHovered(undefined)}
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <Row
              key={item.key}
              measure={mayWrap(row) ? virtualizer.measureElement : undefined}
              id={`${id}-${item.index}`}
              index={item.index}
              top={item.start}
              row={row}
              isActive={item.index === active}
              hasMenu={item.index === active || item.index === hovered}
              isWhole={whole.has(row.pointer)}
              action={action}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the index of the row in which something is; NaN where it is in none. */
function indexOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return Number(row?.dataset.index);
}

function mayWrap({ name, text, depth, kind }: TreeRow): boolean {
  return kind === 'closed' || (name?.length ?? -4) + 4 + text.length + 2 * depth > NEVER_WRAPS;
}

interface RowProps {
  measure: ((element: HTMLElement | null) => void) | undefined;
  id: string;
  index: number;
  top: number;
  row: TreeRow;
  isActive: boolean;
  /** True at the row at hand, and at the one under the pointer. */
  hasMenu: boolean;
  isWhole: boolean;
  action: JsonAction | undefined;
}

/** A row. What it is given decides what it shows; the tree itself takes the clicks. */
const Row = memo(function Row(props: RowProps) {
  const { measure, id, index, top, row, isActive, hasMenu, isWhole, action } = props;
  const isFolding = row.kind === 'open' || row.kind === 'closed';
  return (
    <div
      ref={measure}
      data-index={index}
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-expanded={isFolding ? row.kind === 'open' : undefined}
      aria-selected={isActive}
      className={styles.row}
      style={{ top, paddingLeft: 22 + row.depth * 14 }}
    >
      {isFolding && (
        <span className={styles.fold} style={{ left: 8 + row.depth * 14 }} aria-hidden data-fold>
          {row.kind === 'open' ? '▾' : '▸'}
        </span>
      )}
      <RowText row={row} isWhole={isWhole} />
      {hasMenu && row.kind !== 'end' && (
        <ValueMenu action={action} path={row.path} value={row.value} copies={copiesOf(row)} />
      )}
    </div>
  );
});

function RowText({ row, isWhole }: { row: TreeRow; isWhole: boolean }) {
  const isCut = row.tone === 'string' && !isWhole && row.text.length > MAX_STRING_LENGTH;
  return (
    <>
      {row.name !== undefined && (
        <>
          <span className="accent">{visibleText(JSON.stringify(row.name))}</span>
          {': '}
        </>
      )}
      <span className={styles[row.tone]}>
        {visibleText(isCut ? row.text.slice(0, MAX_STRING_LENGTH) : row.text)}
      </span>
      {row.comma && ','}
      {isCut && (
        <button type="button" className="bare p-0 accent" tabIndex={-1} data-whole>
          … show all {row.text.length.toLocaleString('en-US')} characters
        </button>
      )}
      {row.kind === 'closed' && (
        <span className={styles.count}>
          {formatQuantity(row.count, Array.isArray(row.value) ? 'item' : 'member')}
        </span>
      )}
    </>
  );
}

function copiesOf(row: TreeRow): readonly MenuEntry[] {
  return [
    { id: 'value', title: 'Copy value', shortcut: 'mod+c', run: () => copy('value', row) },
    { id: 'path', title: 'Copy path', shortcut: 'mod+shift+c', run: () => copy('path', row) },
  ];
}

function copy(what: 'value' | 'path', row: TreeRow) {
  const value = typeof row.value === 'string' ? row.value : stringifyExact(row.value);
  const text = what === 'path' ? row.pointer : value;
  void navigator.clipboard
    .writeText(text)
    .then(() => showNote(what === 'path' ? `Copied ${text}` : 'Copied the value'));
}

function parentOf(rows: TreeRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above -= 1) {
    if ((rows[above]?.depth ?? 0) < depth) return above;
  }
  return 0;
}
