import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemRow, ListKind, ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Highlight } from '@/components/Highlight';
import { SearchField } from '@/components/SearchField';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useList } from '@/state/lists';
import { showError } from '@/state/notices';
import styles from './item-list.module.css';
import { ListNotice } from './ListNotice';
import { useItems } from './use-items';

const ROW_HEIGHT = 28;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 8;

interface ItemListProps {
  server: ServerId;
  list: ListKind;
  /** The name of the list: "Tools". */
  label: string;
  selected: string | null;
  onSelect(name: string): void;
  /** Shown at the end of a row. */
  mark?(row: ItemRow): string | undefined;
  /** Stands in the bar before the filter. */
  children?: React.ReactNode;
}

/** A searchable list of any length, of which only the rows in view are fetched and drawn. */
export const ItemList = memo(function ItemList(props: ItemListProps) {
  const { server, list, label, selected, onSelect, mark, children } = props;
  const backend = useBackend();
  const pane = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState('');
  const change = useList(server, list);
  const items = useItems(server, list, useDeferredValue(filter), change?.revision ?? 0);
  const count = items.matched ?? 0;
  const [active, setActive] = useState(0);
  const id = useId();
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    // Drawn with the next frame: within the event that scrolls, it would hold that up.
    useFlushSync: false,
  });
  useAction('filter.focus', () => search.current?.select(), { within: pane });
  useAction('list.refresh', () => void backend.refreshList(server, list).catch(showError), {
    within: pane,
  });

  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  const inSight = Math.ceil((virtualizer.scrollRect?.height ?? 0) / ROW_HEIGHT) + 1;
  const slots = Math.max(rows.length, inSight + 2 * OVERSCAN);
  const { want } = items;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `want` always means the list shown.
  useEffect(() => want(first, last), [first, last, server, list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins at the top.
  useEffect(() => {
    setActive(0);
    scroller.current?.scrollTo(0, 0);
  }, [filter, server, list]);

  /** Name of the item that this list itself opened. */
  const openedHere = useRef<string | null>(null);
  // Something is always open, so that the user sees at once what there is.
  const firstName = items.row(0)?.name;
  useEffect(() => {
    if (selected !== null || firstName === undefined || filter !== '') return;
    openedHere.current = firstName;
    onSelect(firstName);
  }, [selected, firstName, filter, onSelect]);

  const choose = (name: string) => {
    openedHere.current = name;
    onSelect(name);
  };
  // What is opened from elsewhere is shown, whatever the list was narrowed to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is opened.
  useEffect(() => {
    if (selected === null || selected === openedHere.current) return;
    openedHere.current = selected;
    setFilter('');
    let isOver = false;
    const show = (index: number | null) => {
      if (isOver || index === null) return;
      setActive(index);
      requestAnimationFrame(() => virtualizer.scrollToIndex(index));
    };
    backend.findItem(server, list, selected).then(show, () => {});
    return () => {
      isOver = true;
    };
  }, [selected, server, list]);

  const current = Math.min(active, Math.max(0, count - 1));
  const move = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index));
    setActive(next);
    virtualizer.scrollToIndex(next);
  };
  const open = (index: number) => {
    const row = items.row(index);
    if (row) choose(row.name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(
      1,
      Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1,
    );
    const moves: Record<string, number> = {
      ArrowDown: current + 1,
      j: current + 1,
      ArrowUp: current - 1,
      k: current - 1,
      Home: 0,
      End: count - 1,
      PageDown: current + page,
      PageUp: current - page,
    };
    const target = moves[event.key];
    if (target !== undefined) move(target);
    else if (event.key === 'Enter' || event.key === ' ') open(current);
    else return;
    event.preventDefault();
  };

  const onClick = (event: MouseEvent) => {
    const element = (event.target as Element).closest<HTMLElement>('[data-index]');
    if (!element) return;
    const index = Number(element.dataset.index);
    setActive(index);
    open(index);
  };

  const noun = label.toLowerCase();
  return (
    <div ref={pane} className={styles.pane}>
      <div className={styles.bar}>
        {children}
        <SearchField
          label={`Filter ${noun}`}
          value={filter}
          onChange={setFilter}
          inputRef={search}
          className={styles.search}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            if (event.key === 'Enter') open(0);
            scroller.current?.focus();
          }}
        />
      </div>
      <ListNotice change={change} noun={noun} />
      {change?.state.state === 'failed' && (
        <div className={styles.failed}>
          <span>✕ {visibleText(change.state.message)}</span>
          <Button onPress={() => void backend.refreshList(server, list).catch(showError)}>
            Load again
          </Button>
        </div>
      )}
      {items.failure !== undefined && <div className={styles.failed}>✕ {items.failure}</div>}
      {count === 0 && items.matched !== undefined && change?.state.state !== 'loading' ? (
        filter ? (
          <EmptyState
            title={`Nothing matches “${filter}”`}
            action={<Button onPress={() => setFilter('')}>Clear the filter</Button>}
          >
            Names, titles and descriptions are searched.
          </EmptyState>
        ) : (
          <EmptyState title={`No ${noun}`}>
            {change?.state.state === 'failed'
              ? 'The list broke off before anything came.'
              : 'The server lists none. It may add some later; they appear here then.'}
          </EmptyState>
        )
      ) : (
        <div
          ref={scroller}
          className={styles.list}
          role="listbox"
          aria-label={label}
          aria-busy={change?.state.state === 'loading'}
          aria-activedescendant={count > 0 ? `${id}-${current}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <div
            role="presentation"
            className={styles.canvas}
            style={{ height: virtualizer.getTotalSize() }}
          >
            {rows.map(({ index, start }) => {
              const row = items.row(index);
              return (
                <Row
                  // A place on the screen, not a row: what scrolls out becomes what scrolls in.
                  key={index % slots}
                  id={`${id}-${index}`}
                  index={index}
                  count={count}
                  top={start}
                  row={row}
                  mark={row && mark?.(row)}
                  search={items.filter}
                  isSelected={row !== undefined && row.name === selected}
                  isActive={index === current}
                />
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
});

interface RowProps {
  id: string;
  index: number;
  count: number;
  top: number;
  row: ItemRow | undefined;
  mark: string | undefined;
  /** The search that the rows match. */
  search: string;
  isSelected: boolean;
  isActive: boolean;
}

/** A row. What it is given decides what it shows, so it is drawn again only when that differs. */
const Row = memo(function Row({ id, index, count, top, row, mark, search, ...is }: RowProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={is.isSelected}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-index={index}
      data-active={is.isActive || undefined}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      title={
        row &&
        [row.name, row.title, row.description]
          .filter((text) => text !== null && text !== '')
          .map((text) => visibleLines(text ?? ''))
          .join('\n')
      }
    >
      {row && <RowContent row={row} mark={mark} search={search} />}
    </div>
  );
});

function RowContent({ row, mark, search }: Pick<RowProps, 'mark' | 'search'> & { row: ItemRow }) {
  const text = [row.title !== row.name && row.title, row.description].filter(Boolean).join(' · ');
  return (
    <>
      <span className={styles.name}>
        <Highlight text={visibleText(row.name)} search={search} />
      </span>
      <span className={styles.text}>
        <Highlight text={visibleText(text)} search={search} isName={false} />
      </span>
      {row.problem && (
        <span className={styles.problem} title={row.problem}>
          ▲ problem
        </span>
      )}
      {row.fresh && <span className={styles.fresh}>● new</span>}
      {mark && <span className={styles.mark}>{mark}</span>}
    </>
  );
}
