import { useVirtualizer } from '@tanstack/react-virtual';
import { Copy, Route } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, useId, useMemo, useRef, useState } from 'react';
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
  /** The menu at the value of the row at hand. */
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
      scroller.current?.querySelector<HTMLElement>('[data-menu]')?.click();
    } else return;
    event.preventDefault();
  };

  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index);
    const row = rows[index];
    if (!row) return;
    setActive(index);
    if (target.closest('[data-fold]')) toggle(row);
    if (target.closest('[data-whole]')) setWhole(new Set([...whole, row.pointer]));
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
              isWhole={whole.has(row.pointer)}
              action={action}
            />
          );
        })}
      </div>
    </div>
  );
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
  isWhole: boolean;
  action: JsonAction | undefined;
}

/** A row. What it is given decides what it shows; the tree itself takes the clicks. */
const Row = memo(function Row(props: RowProps) {
  const { measure, id, index, top, row, isActive, isWhole, action } = props;
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
      {isActive && row.kind !== 'end' && action && (
        <ValueMenu action={action} path={row.path} value={row.value} />
      )}
      {isActive && row.kind !== 'end' && <RowButtons row={row} />}
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

function RowButtons({ row }: { row: TreeRow }) {
  return (
    <span className={styles.copy}>
      <button
        type="button"
        tabIndex={-1}
        aria-label="Copy value"
        title="Copy value (Ctrl+C)"
        onClick={() => copy('value', row)}
      >
        <Copy size={12} />
      </button>
      <button
        type="button"
        tabIndex={-1}
        aria-label="Copy path"
        title="Copy path (Ctrl+Shift+C)"
        onClick={() => copy('path', row)}
      >
        <Route size={12} />
      </button>
    </span>
  );
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
