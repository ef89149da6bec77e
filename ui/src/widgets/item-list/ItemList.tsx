import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemGroup, ItemRow, ListKind, ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { lineAfter } from '@/components/line-keys';
import { SearchField } from '@/components/SearchField';
import { useVirtualRows } from '@/components/use-virtual-rows';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { askForDefinition } from '@/state/calls/asked-definition';
import { setGroupFolded, useFoldedGroups } from '@/state/calls/folded-groups';
import { useList } from '@/state/calls/lists';
import { useNavigation, useSelectedItem } from '@/state/navigation';
import { showError } from '@/state/notices';
import styles from './item-list.module.css';
import { ListNotice, Summary } from './ListHead';
import { Layout } from './layout';
import { Heading, Row } from './Row';
import { LIST } from './texts';
import { useIsHidden, useItems, useOutline } from './use-items';

/** The height of a row and of a heading, as in the styles. */
const ROW_HEIGHT = 26;
const NO_GROUPS: readonly ItemGroup[] = [];
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 8;

interface ItemListProps {
  server: ServerId;
  list: ListKind;
  /** The name of the list: "Tools". */
  label: string;
  /** The user chose this item in the list, which may be the selected one. */
  onChoose?(name: string): void;
  /** Shown at the end of a row. */
  mark?(row: ItemRow): string | undefined;
  /** Stands in the bar before the filter. */
  children?: React.ReactNode;
}

/** A searchable list of any length, of which only the rows in view are fetched and drawn. */
export const ItemList = memo(function ItemList(props: ItemListProps) {
  const { server, list, label, onChoose, mark, children } = props;
  const backend = useBackend();
  const selected = useSelectedItem(server, list);
  const selectItem = useNavigation((state) => state.selectItem);
  const pane = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState('');
  const change = useList(server, list);
  const items = useItems(server, list, useDeferredValue(filter), change?.revision ?? 0);
  const outline = useOutline(server, list, change);
  const folded = useFoldedGroups(server, list);
  const total = items.matched ?? 0;
  // What is ranked stands in the order of its rank.
  const isRanked = items.answered.trim() !== '';
  const groups = isRanked ? NO_GROUPS : outline.groups;
  const layout = useMemo(() => new Layout(total, groups, folded), [total, groups, folded]);
  const { count } = layout;
  const isHidden = useIsHidden(server, list, items, selected);
  /** The line at which the keyboard is. */
  const [active, setActive] = useState(0);
  const id = useId();
  const virtualizer = useVirtualRows(scroller, count, ROW_HEIGHT, OVERSCAN);
  useAction('filter.focus', () => search.current?.select(), { within: pane });
  useAction('list.refresh', () => void backend.refreshList(server, list).catch(showError), {
    within: pane,
  });

  const rows = virtualizer.getVirtualItems();
  const first = layout.itemFrom(rows[0]?.index ?? 0);
  const last = Math.min(first + rows.length, total - 1);
  const inSight = Math.ceil((virtualizer.scrollRect?.height ?? 0) / ROW_HEIGHT) + 1;
  const slots = Math.max(rows.length, inSight + 2 * OVERSCAN);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `items` always means the list shown.
  useEffect(() => items.want(first, last), [first, last, server, list]);
  /** The list and the filter that the line at hand and the place of the scroller belong to. */
  const begun = useRef('');
  useEffect(() => {
    const key = `${server}\n${list}\n${filter}`;
    // Also where the list was hidden meanwhile.
    if (begun.current === key) return;
    begun.current = key;
    // Another filter begins at the top.
    setActive(0);
    scroller.current?.scrollTo(0, 0);
  }, [filter, server, list]);

  const latestLayout = useRef(layout);
  useEffect(() => {
    latestLayout.current = layout;
  }, [layout]);
  /** Name of the item that this list itself opened. */
  const openedHere = useRef<string | null>(null);
  // Something is always open, so that the user sees at once what there is.
  const firstName = items.row(0)?.name;
  useEffect(() => {
    if (selected !== null || firstName === undefined || filter !== '') return;
    openedHere.current = firstName;
    selectItem(server, list, firstName);
  }, [selected, firstName, filter, selectItem, server, list]);

  /** Name of the item that was opened from elsewhere before the list was there. */
  const awaited = useRef<string | null>(null);
  const choose = (name: string) => {
    openedHere.current = name;
    selectItem(server, list, name);
  };
  // What is opened from elsewhere is shown, whatever the list was narrowed to, once it is there.
  const isEmpty = total === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is opened.
  useEffect(() => {
    if (selected === null || selected === openedHere.current) return;
    // Once: what is typed before the list is there stays.
    if (awaited.current !== selected) setFilter('');
    awaited.current = isEmpty ? selected : null;
    if (isEmpty) return;
    openedHere.current = selected;
    let isOver = false;
    const show = (index: number | null) => {
      if (isOver || index === null) return;
      const group = latestLayout.current.groupOf(index);
      if (group) setGroupFolded(server, list, group.prefix, false);
      requestAnimationFrame(() => {
        const line = latestLayout.current.lineOf(index);
        setActive(line);
        virtualizer.scrollToIndex(line);
      });
    };
    backend.findItem(server, list, selected).then(show, () => {});
    return () => {
      isOver = true;
    };
  }, [selected, server, list, isEmpty]);

  const current = Math.min(active, Math.max(0, count - 1));
  const fold = (group: ItemGroup, isFolded: boolean) => {
    setActive(layout.lineOf(group.first) - (folded.has(group.prefix) ? 0 : 1));
    setGroupFolded(server, list, group.prefix, isFolded);
  };
  const open = (at: number) => {
    const line = layout.line(at);
    if (line?.kind === 'heading') {
      fold(line.group, !folded.has(line.group.prefix));
      return;
    }
    const row = line && items.row(line.index);
    if (!row) return;
    choose(row.name);
    onChoose?.(row.name);
  };
  /** Collapses or expands the group of the line at hand. */
  const foldHere = (isFolded: boolean) => {
    const line = layout.line(current);
    const group = line?.kind === 'heading' ? line.group : layout.groupOf(line?.index ?? 0);
    if (!group || folded.has(group.prefix) === isFolded) return false;
    fold(group, isFolded);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const view = { height: scroller.current?.clientHeight, lineHeight: ROW_HEIGHT };
    const target = lineAfter(event.key, current, count, view);
    if (target !== undefined) {
      setActive(target);
      virtualizer.scrollToIndex(target);
    } else if (event.key === 'Enter' || event.key === ' ') open(current);
    else if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    else if (!foldHere(event.key === 'ArrowLeft')) return;
    event.preventDefault();
  };

  const onClick = (event: MouseEvent) => {
    const element = (event.target as Element).closest<HTMLElement>('[data-line]');
    if (!element) return;
    const line = Number(element.dataset.line);
    setActive(line);
    open(line);
    // The mark of what changed leads to what that is.
    const isMark = (event.target as Element).closest('[data-changes]') !== null;
    const at = layout.line(line);
    const name = at?.kind === 'heading' || !at ? undefined : items.row(at.index)?.name;
    if (isMark && name !== undefined) askForDefinition(server, list, name);
  };

  const noun = label.toLowerCase();
  return (
    <div ref={pane} className="pane">
      <div className="bar gap-4 h-bar pad-x-5 pad-y-0">
        {children}
        <SearchField
          label={LIST.filter(noun)}
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
      {change?.state.type === 'failed' && (
        <div className={styles.failed}>
          <span>✕ {visibleText(change.state.message)}</span>
          <Button onPress={() => void backend.refreshList(server, list).catch(showError)}>
            {LIST.loadAgain}
          </Button>
        </div>
      )}
      {items.failure !== undefined && <div className={styles.failed}>✕ {items.failure}</div>}
      {total > 0 && (
        <Summary
          server={server}
          list={list}
          matched={isRanked ? total : undefined}
          change={change}
          prefix={outline.prefix}
        />
      )}
      {count === 0 && items.matched !== undefined && change?.state.type !== 'loading' ? (
        filter ? (
          <EmptyState
            title={LIST.nothingMatches(filter)}
            action={<Button onPress={() => setFilter('')}>{LIST.clearFilter}</Button>}
          >
            {LIST.searched}
          </EmptyState>
        ) : (
          <EmptyState title={LIST.none(noun)}>
            {change?.state.type === 'failed' ? LIST.brokenOff : LIST.listsNone}
          </EmptyState>
        )
      ) : (
        <div
          ref={scroller}
          className={styles.list}
          role="listbox"
          aria-label={label}
          aria-busy={change?.state.type === 'loading'}
          aria-activedescendant={count > 0 ? `${id}-${current}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <div
            role="presentation"
            className="relative"
            style={{ height: virtualizer.getTotalSize() }}
          >
            {rows.map(({ index: at, start }) => {
              const line = layout.line(at);
              if (line === undefined) return null;
              // A place on the screen, not a row: what scrolls out becomes what scrolls in.
              const key = at % slots;
              const place = { id: `${id}-${at}`, line: at, top: start, isActive: at === current };
              if (line.kind === 'heading') {
                const isFolded = folded.has(line.group.prefix);
                return <Heading key={key} {...place} group={line.group} isFolded={isFolded} />;
              }
              const row = items.row(line.index);
              return (
                <Row
                  key={key}
                  {...place}
                  index={line.index}
                  count={total}
                  row={row}
                  mark={row && mark?.(row)}
                  search={items.answered}
                  prefix={
                    isRanked ? '' : outline.prefix || (layout.groupOf(line.index)?.prefix ?? '')
                  }
                  isPrefixHidden={outline.prefix !== ''}
                  isSelected={row !== undefined && row.name === selected}
                />
              );
            })}
          </div>
        </div>
      )}
      {/* Below the rows, which stay where they are. */}
      {isHidden && selected !== null && (
        <p role="status" className={styles.notice}>
          {LIST.hidden(visibleText(selected))}
        </p>
      )}
    </div>
  );
});
