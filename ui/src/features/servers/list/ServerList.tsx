import { ChevronDown, ChevronRight } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ScopeFileView, ServerId } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { lineAfter } from '@/components/line-keys';
import { windowHeight } from '@/lib/window-size';
import { useNavigation } from '@/state/navigation';
import type { ServerGroup } from '@/state/servers/groups';
import { useServers } from '@/state/servers/servers';
import { setSidebarGroupFolded } from '@/state/servers/sidebar-groups';
import { GROUP, keyAt, type Layout, type Line, ROW_SIZE } from './layout';
import { ServerRow } from './ServerRow';
import styles from './sidebar.module.css';
import { SIDEBAR } from './texts';

/** The most rows that are drawn also where out of view. */
const MAX_AT_ONCE = 60;

/** Pixels by which the part that is drawn moves at once, and that it has above and below the view. */
const STEP = 4 * ROW_SIZE;
const MARGIN = 8 * ROW_SIZE;

/** Milliseconds after which a letter begins another name. */
const TYPING_TIME = 1000;

interface ServerListProps {
  list: RefObject<HTMLDivElement | null>;
  layout: Layout;
  /** The search that the rows match; empty without one. */
  search: string;
  selected: ServerId | null;
  /** The servers that are selected together. */
  marked: readonly ServerId[];
  onMark: (ids: readonly ServerId[]) => void;
  onContextMenu: (event: MouseEvent) => void;
  onPointerDown: ((event: PointerEvent) => void) | undefined;
}

/** The rows, of many those in view. A change of a status draws nothing here. */
export const ServerList = memo(function ServerList(props: ServerListProps) {
  const { list, layout, search, selected, marked, onMark, onContextMenu, onPointerDown } = props;
  const { parts, lines, height } = layout;
  const sight = useSight(list, search);
  /** The row at which the keyboard is: the selected one, until it moves on. */
  const [at, setAt] = useState(selected);
  const [shown, setShown] = useState(selected);
  if (shown !== selected) {
    setShown(selected);
    setAt(selected);
  }
  const placeOf = (id: string | null) => lines.findIndex((line) => line.id === id);
  const current = [placeOf(at), placeOf(selected), 0].find((place) => place >= 0) ?? 0;
  /** The row from which several are selected. */
  const anchor = useRef<string>(null);
  const hasFocus = useRef(false);
  // Also where its row was drawn anew, in another group.
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[role=option][tabindex="0"]');
    if (!hasFocus.current || !row || row === document.activeElement) return;
    layout.reveal(list.current, lines[current]?.id);
    sight.look();
    row.focus({ preventScroll: true });
  });

  const mark = (ids: readonly string[]) => {
    const { servers } = useServers.getState();
    const [first] = ids;
    if (first === undefined) return;
    onMark(ids.length > 1 ? ids.filter((id) => servers.some((server) => server.id === id)) : []);
    if (ids.length === 1) useNavigation.getState().selectServer(first);
  };
  /** The focus goes with the group, whose row is another one then. */
  const fold = (group: ServerGroup, isFolded: boolean) => {
    setSidebarGroupFolded(group.id, isFolded);
    setAt(isFolded ? GROUP + group.id : (group.servers[0]?.id ?? null));
  };
  const choose = (line: Line, event: KeyboardEvent | MouseEvent) => {
    const { id } = line;
    setAt(id);
    if (event.shiftKey) {
      const from = Math.max(0, placeOf(marked.length > 1 ? anchor.current : selected));
      const to = placeOf(id);
      anchor.current = lines[from]?.id ?? null;
      mark(lines.slice(Math.min(from, to), Math.max(from, to) + 1).map((one) => one.id));
      return;
    }
    anchor.current = id;
    if (line.kind === 'group') fold(line.item, false);
    else if (event.ctrlKey || event.metaKey) {
      const taken = marked.length > 1 || selected === null ? marked : [selected];
      mark(taken.includes(id) ? taken.filter((one) => one !== id) : [...taken, id]);
    } else mark([id]);
  };
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  /** Returns whether a key is a letter of a name, and moves to the next row that begins so. */
  const type = (key: string) => {
    const now = performance.now();
    const before = now - typed.current.at < TYPING_TIME ? typed.current.text : '';
    if (key.length !== 1 || (before === '' && key === ' ')) return false;
    const text = before + key.toLowerCase();
    typed.current = { text, at: now };
    // The first letter leads on, and each further one may stay.
    const start = before === '' ? current + 1 : current;
    const next = [...lines.slice(start), ...lines.slice(0, start)].find((line) =>
      line.text.toLowerCase().startsWith(text),
    );
    if (next) setAt(next.id);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const line = lines[current];
    const isWith = event.ctrlKey || event.metaKey;
    if (!line || event.altKey) return;
    const isLetter = key.length === 1;
    const view = { height: list.current?.clientHeight, lineHeight: ROW_SIZE };
    const next = lineAfter(key, current, lines.length, view);
    const target = next === undefined || (isWith && isLetter) ? undefined : lines[next];
    const group = parts.findLast(({ first }) => first <= current)?.group;
    if (target) {
      setAt(target.id);
      // Nothing is selected by passing a group that is collapsed, or with Ctrl.
      if (event.shiftKey || !(isWith || target.kind === 'group')) choose(target, event);
    } else if (isWith && key.toLowerCase() === 'a') {
      mark(useServers.getState().servers.map(({ id }) => id));
    } else if (key === 'ArrowLeft' && group) {
      if (line.kind !== 'group') fold(group, true);
    } else if (key === 'ArrowRight' && group) {
      if (line.kind === 'group') fold(group, false);
    } else if (!isWith && isLetter && type(key)) {
      // What is no letter of a name may be a key of the window.
      if (key !== ' ') return;
    } else if (key === 'Enter' ? !isWith : key === ' ') {
      if (!event.repeat) choose(line, event);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent) => {
    const heading = event.target instanceof Element && event.target.closest('[data-fold]');
    if (heading) setSidebarGroupFolded(heading.getAttribute('data-fold') ?? '', true);
    const line = lines[placeOf(keyAt(event.target))];
    if (line) choose(line, event);
  };

  const isLong = lines.length > MAX_AT_ONCE;
  const isInSight = (top: number, size: number) =>
    !isLong || (top + size > sight.from && top < sight.to);
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={SIDEBAR.label}
      aria-multiselectable="true"
      tabIndex={-1}
      className="fill scroll no-outline"
      onScroll={sight.look}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        hasFocus.current = true;
        setAt((before) => keyAt(target) ?? before);
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
      onContextMenu={onContextMenu}
      onPointerDown={onPointerDown}
    >
      <div role="presentation" className="relative" style={{ height }}>
        {parts.map(({ title, group, isFolded, top, height, first, lines }) => {
          // The row with the focus keeps it out of view too.
          const isHere = current >= first && current < first + lines.length;
          if (!isHere && !isInSight(top, height)) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form.
            <div
              key={group?.id ?? ''}
              role="group"
              aria-label={title}
              className={styles.placed}
              style={{ top, height }}
            >
              {!isFolded && (
                <div role="presentation" data-fold={group?.id} className={styles.group}>
                  {group ? <GroupTitle title={title} isFolded={false} /> : title}
                </div>
              )}
              {lines.map((line, at) => {
                const isCurrent = first + at === current;
                if (!isCurrent && !isInSight(top + line.top, ROW_SIZE)) return null;
                const isSelected =
                  marked.length > 1 ? marked.includes(line.id) : line.id === selected;
                return (
                  <Row
                    key={line.id}
                    {...line}
                    place={isLong ? first + at + 1 : undefined}
                    count={isLong ? layout.lines.length : undefined}
                    isSelected={isSelected}
                    isCurrent={isCurrent}
                    search={search}
                  />
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
});

/** Tells which part of a list is to be drawn: what is in view, and some above and below. */
function useSight(list: RefObject<HTMLElement | null>, search: string) {
  const [top, setTop] = useState(0);
  // The list is no higher than the window, and need not be measured.
  const [height, setHeight] = useState(windowHeight);
  const look = () => {
    setTop(Math.floor((list.current?.scrollTop ?? 0) / STEP) * STEP);
    setHeight(windowHeight());
  };
  const latest = useRef(look);
  useEffect(() => {
    const onResize = () => latest.current();
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  useEffect(() => {
    // What is found begins at the top, the best first.
    if (search !== '' && list.current) list.current.scrollTop = 0;
  }, [search, list]);
  return { from: top - MARGIN, to: top + STEP + height + MARGIN, look };
}

type RowProps = Line & {
  /** Its place among all rows, from 1, and their number; absent where all are drawn. */
  place: number | undefined;
  count: number | undefined;
  isSelected: boolean;
  /** True for the row that Tab leads to. */
  isCurrent: boolean;
  search: string;
};

/** A row. What it is given decides what it shows; the state of a server is followed in it. */
const Row = memo(function Row(props: RowProps) {
  const { kind, item, id, text, top, place, count, isSelected, isCurrent } = props;
  return (
    <div
      role="option"
      tabIndex={isCurrent ? 0 : -1}
      data-key={id}
      aria-label={kind === 'group' ? text : undefined}
      aria-selected={isSelected}
      aria-posinset={place}
      aria-setsize={count}
      className={classes(
        styles.placed,
        kind === 'group' ? classes(styles.group, styles.foldedGroup) : styles.row,
        kind === 'server' && item.disabled && styles.disabled,
      )}
      style={{ top }}
    >
      {kind === 'server' && <ServerRow id={id} search={props.search} />}
      {kind === 'file' && <BrokenFileCells file={item} />}
      {kind === 'group' && (
        <>
          <GroupTitle title={item.title} isFolded />
          <span>{item.servers.length}</span>
        </>
      )}
    </div>
  );
});

function GroupTitle({ title, isFolded }: { title: string; isFolded: boolean }) {
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <>
      <Chevron size={11} aria-hidden="true" className={styles.chevron} />
      <b>{title}</b>
    </>
  );
}

function BrokenFileCells({ file }: { file: ScopeFileView }) {
  const [first] = file.problems;
  return (
    <>
      <span className={styles.broken} aria-hidden="true">
        ✕
      </span>
      <span className={styles.name} title={file.path}>
        <span className={first && 'visually-hidden'}>
          {file.state === 'unreadable' ? SIDEBAR.unreadableFile : SIDEBAR.brokenFile}{' '}
        </span>
        {file.label}
      </span>
      {first && <em>{SIDEBAR.place(first.line, first.column)}</em>}
    </>
  );
}
