import { Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { ExchangeId, ExchangeRow, SessionView } from '@/backend/bindings';
import { MovableLine } from '@/components/MovableLine';
import { usePaintedWhile } from '@/components/use-painted';
import { useWidth } from '@/components/use-width';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { showDialog } from '@/state/dialogs';
import { type TrafficTarget, useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import type { ExportChoice } from '@/state/record/exports';
import { useServerName } from '@/state/servers/servers';
import { copyEntries, copyRows } from '../detail/copies';
import { useRelatedRow } from '../detail/use-related-row';
import {
  type DrawerView,
  isNarrowed,
  isOfMessages,
  type Selection,
  useDrawerView,
} from '../filter/selection';
import type { TrafficRows } from '../messages/traffic-rows';
import { copyOperations } from '../operations/operation-copies';
import type { RowsInView } from '../rows/record-rows';
import { useBookmarks } from '../rows/use-bookmarks';
import { useOperationRows, useTrafficRows } from '../rows/use-record-rows';
import { BAR, EXPORTS } from '../texts';
import { ClearDialog, type Cleared } from './ClearDialog';
import { DrawerPanel } from './drawer-panel';
import { type BarRoom, TrafficBar } from './TrafficBar';
import { TrafficEmpty } from './TrafficEmpty';
import styles from './traffic-drawer.module.css';
import type { DrawerHeight } from './use-drawer-height';

const EVERYTHING: Selection = {
  filter: '',
  kinds: [],
  invert: false,
  server: null,
  phases: false,
  checks: false,
};

/** The kinds of rows that are a server's log. */
const LOG_KINDS: Selection['kinds'] = ['log', 'stderr'];

/** Milliseconds for which the typing has to rest before the filter is applied. */
const TYPING_DELAY = 120;
/** Calls whose rows are folded away at a time. */
const MAX_FOLDED = 32;
/** Milliseconds between two questions whether the open row is still listed. */
const LISTED_INTERVAL = 150;
/** The drawer's width in pixels from which on a detail stands beside the table. */
const BESIDE = 860;

/** Holds the rows: a table, a tree, or the timeline. */
const TABLE = '[role="grid"], [role="treegrid"], [role="application"]';

interface DrawerContentProps {
  readonly isOpen: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly height: DrawerHeight;
  /** The opened session whose record is shown; absent for the record of the program. */
  readonly session: SessionView | null;
}

/** The content of the drawer: the filter, the rows, and one of them in detail. */
export default function DrawerContent({ isOpen, setOpen, height, session }: DrawerContentProps) {
  const drawer = useRef<HTMLElement>(null);
  const filterInput = useRef<HTMLInputElement>(null);
  const backend = useBackend();
  const width = useWidth(drawer);
  const room = roomFor(width);

  const id = useId();
  const isMaximised = useNavigation((state) => state.trafficMaximised);
  const target = useTarget(session);
  const { filter, selection, setFilter, change } = useSelection(target);
  const [view, setView] = useDrawerView();
  const showsOperations = !isOfMessages(view);
  const showsTimeline = view === 'timeline';
  const shownSelection = useMemo(
    () => (view === 'log' ? { ...selection, kinds: LOG_KINDS } : selection),
    [view, selection],
  );
  const rows = useTrafficRows(shownSelection, isOpen && !showsOperations);
  const operations = useOperationRows(selection, isOpen && showsOperations);
  const shown: RowsInView = showsOperations ? operations.list : rows;
  const [selectedRow, setSelectedRow] = useState<ExchangeRow | null>(null);
  const [selected, setSelected] = useState<ExchangeId | null>(null);
  const [opened, setOpened] = useState<ExchangeId | null>(null);
  const [clearing, setClearing] = useState<Cleared | null>(null);
  const fold = useFolding(rows);
  // An operation is listed for any of its rows.
  useStillListed(backend, rows, shownSelection, showsOperations ? null : opened, () =>
    setOpened(null),
  );
  const isLive = session === null;
  const selectedServer = useNavigation((state) => state.server);
  const serverId = isLive ? selectedServer : null;
  const serverName = useServerName(serverId);
  const server =
    serverId === null || serverName === undefined ? null : { id: serverId, name: serverName };

  const focusGrid = useCallback(() => {
    drawer.current?.querySelector<HTMLElement>(TABLE)?.focus();
  }, []);

  const select = (row: ExchangeRow) => {
    setSelected(row.id);
    setSelectedRow(row);
    // An open detail shows the row that the keyboard moves to.
    setOpened((known) => (known === null ? null : row.id));
  };
  const open = (row: ExchangeRow) => setOpened(row.id);
  useEffect(() => {
    if (target?.exchange === undefined) return;
    setSelected(target.exchange);
    setSelectedRow(null);
    setOpened(target.exchange);
  }, [target]);
  const bookmarks = useBookmarks();
  const writeNote = (id: ExchangeId) => {
    setOpened(id);
    void bookmarks.add(id);
  };
  const toggleBookmark = (row: ExchangeRow) => {
    if (row.bookmark === null) writeNote(row.id);
    else void bookmarks.write(row.id, null);
  };
  const close = () => {
    setOpened(null);
    requestAnimationFrame(focusGrid);
  };

  const isBeside = width >= BESIDE;
  const narrowed = isNarrowed(selection);
  const showAll = useCallback(() => change(EVERYTHING), [change]);
  const arrive = useCallback(() => {
    if (!isBeside) setOpened(null);
    requestAnimationFrame(focusGrid);
  }, [isBeside, focusGrid]);
  const reveal = useCallback(
    (id: ExchangeId, operation: ExchangeId) => {
      // The timeline shows what is selected by itself.
      if (showsTimeline) return Promise.resolve(null);
      return showsOperations ? operations.reveal(operation, id) : rows.reveal(id);
    },
    [showsTimeline, showsOperations, operations, rows],
  );
  const { goTo, seek, leave } = useRelatedRow({
    reveal,
    showAll: narrowed ? showAll : null,
    onArrival: arrive,
  });
  const changeView = (chosen: DrawerView) => {
    leave();
    setView(chosen);
  };
  const goToRow = (id: ExchangeId, operation: ExchangeId) => {
    setSelected(id);
    setSelectedRow(null);
    setOpened(id);
    seek({ id, operation, must: false });
  };
  const showInOperations = (id: ExchangeId, operation: ExchangeId) => {
    changeView('calls');
    seek({ id, operation, must: true });
  };

  // A drawer that opens with the first message lays the whole window out anew, while that message
  // is drawn elsewhere too.
  const hasPlace = usePaintedWhile(isOpen);
  const toggle = () => setOpen(!isOpen);
  const askToClear = () => setClearing({ server: null });
  const openExport = (chosen: ExportChoice, row: ExchangeRow | null) => {
    const of = row && { id: row.id, connection: row.connection, server: row.server };
    const source = { row: of, shown: narrowed ? shown.query() : null, server };
    showDialog({ kind: 'traffic-export', source, chosen });
  };
  const exportRows = () => openExport(narrowed ? 'shown' : 'everything', selectedRow);
  const menu = [
    copyEntries(backend, selected, () =>
      showsOperations ? copyOperations(backend, shown) : copyRows(backend, shown),
    ),
    ...(session === null
      ? [
          [
            { id: 'export', title: EXPORTS.open, run: exportRows },
            { id: 'clear', title: BAR.clear, isDangerous: true, run: askToClear },
          ],
        ]
      : []),
  ];

  const focusFilter = () => {
    setOpen(true);
    requestAnimationFrame(() => filterInput.current?.select());
  };
  useAction('traffic.toggle', toggle);
  useAction('traffic.filter', focusFilter);
  useAction('filter.focus', focusFilter, { within: drawer });
  useAction('traffic.pause', () => (shown.paused ? shown.resume() : shown.pause()), {
    when: isOpen,
  });
  useAction('traffic.latest', () => (shown.paused ? shown.resume() : shown.follow()), {
    // The timeline has an end of its own.
    when: isOpen && !showsTimeline,
  });
  const chooseView = (chosen: DrawerView) => {
    setOpen(true);
    changeView(chosen);
  };
  useAction('traffic.calls', () => chooseView('calls'));
  useAction('traffic.log', () => chooseView('log'));
  useAction('traffic.timeline', () => chooseView('timeline'));
  useAction('traffic.raw', () => chooseView('raw'));
  const maximise = () => {
    const { trafficMaximised, setTrafficMaximised } = useNavigation.getState();
    setOpen(true);
    setTrafficMaximised(!(trafficMaximised && isOpen));
    requestAnimationFrame(focusGrid);
  };
  useAction('traffic.maximise', maximise);
  const marked = opened ?? selected;
  useAction('traffic.bookmark', () => marked !== null && writeNote(marked), {
    when: isLive && isOpen && marked !== null,
  });
  useAction('traffic.clear', askToClear, { when: isLive });
  useAction('traffic.clear-server', () => server && setClearing({ server }), {
    when: server !== null,
  });
  // What is exported is the own record; a session file is a file already.
  useAction('traffic.export', exportRows, { when: session === null });
  useAction('traffic.export-server', () => openExport('server', selectedRow), {
    when: server !== null && session === null,
  });

  const clear = async ({ server: one }: Cleared) => {
    setClearing(null);
    try {
      await (one ? backend.clearServerTraffic(one.id) : backend.clearTraffic());
      setSelected(null);
      setSelectedRow(null);
      setOpened(null);
      rows.reset();
      operations.reset();
    } catch (reason) {
      showError(reason);
    }
  };

  const common = {
    selected,
    onSelect: select,
    onOpen: open,
    onTerm: (term: string) => change({ filter: withTerm(filter, term), invert: false }),
    onBookmark: isLive ? toggleBookmark : null,
    onExport: session === null ? openExport : null,
    goTo,
    empty: <TrafficEmpty rows={shown} selection={selection} view={view} onShowAll={showAll} />,
  };
  const detail =
    opened === null
      ? null
      : {
          id: opened,
          isAlone: !isBeside,
          bookmarks,
          isOwn: isLive,
          onClose: close,
          onSelect: goToRow,
          onShow: showInOperations,
        };

  return (
    <section
      ref={drawer}
      aria-label={session === null ? BAR.drawer : BAR.sessionDrawer(visibleText(session.name))}
      data-drawer
      className="stack min-w-0 h-full"
      // Esc steps outward: from the detail to the table, and from there to the rest of the window.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        if (opened !== null) close();
        else if (isMaximised) maximise();
        else return;
        event.preventDefault();
      }}
    >
      {isOpen && !isMaximised && (
        <MovableLine
          label={BAR.resize}
          pane="below"
          size={height.pixels}
          least={height.least}
          most={height.most}
          className={styles.edge}
          onMove={height.set}
          onReset={height.reset}
        />
      )}
      <TrafficBar
        isOpen={isOpen}
        session={session}
        onToggle={toggle}
        room={room}
        rows={shown}
        atHand={showsOperations ? operations : rows}
        view={view}
        onViewChange={chooseView}
        id={id}
        isMaximised={isMaximised}
        onMaximise={maximise}
        filter={filter}
        onFilterChange={setFilter}
        selection={selection}
        onSelectionChange={change}
        server={server}
        filterInput={filterInput}
        onLeaveFilter={focusGrid}
        menu={menu}
      />
      {hasPlace && (
        <div
          id={`${id}-panel-${view}`}
          role="tabpanel"
          aria-labelledby={`${id}-tab-${view}`}
          className="stack fill min-w-0"
        >
          <Suspense>
            <DrawerPanel
              {...{ view, rows, operations, common, detail }}
              onFold={fold}
              isWide={isBeside}
            />
          </Suspense>
        </div>
      )}
      {clearing && (
        <ClearDialog cleared={clearing} onClose={() => setClearing(null)} onClear={clear} />
      )}
    </section>
  );
}

function roomFor(width: number): BarRoom {
  return width >= 820 ? 'wide' : 'narrow';
}

/** Returns the target of the record that is shown. */
function useTarget(session: SessionView | null): TrafficTarget | null {
  const target = useNavigation((state) => state.trafficTarget);
  return target?.session === (session?.id ?? null) ? target : null;
}

/** Returns the rows that the user asks for; the filter counts once the typing rests. */
function useSelection(target: TrafficTarget | null) {
  const [filter, setFilter] = useState('');
  const [selection, setSelection] = useState<Selection>(EVERYTHING);

  useEffect(() => {
    if (filter === selection.filter) return;
    const timer = setTimeout(() => setSelection((known) => ({ ...known, filter })), TYPING_DELAY);
    return () => clearTimeout(timer);
  }, [filter, selection.filter]);

  const change = useCallback((changed: Partial<Selection>) => {
    setSelection((known) => ({ ...known, ...changed }));
    if (changed.filter !== undefined) setFilter(changed.filter);
  }, []);

  useEffect(() => {
    if (target) change({ ...EVERYTHING, filter: target.filter });
  }, [target, change]);

  // "This server" moves with the user.
  const server = useNavigation((state) => state.server);
  useEffect(() => {
    setSelection((known) =>
      known.server === null || known.server === server ? known : { ...known, server },
    );
  }, [server]);

  return { filter, selection, setFilter, change };
}

/** Adds a term to a filter, unless it is there. */
function withTerm(filter: string, term: string): string {
  const text = filter.trim();
  return ` ${text} `.includes(` ${term} `) ? text : `${text} ${term}`.trim();
}

/** Returns what folds the rows of a call away, or shows them again. */
function useFolding(rows: TrafficRows) {
  const [folded, setFolded] = useState<readonly ExchangeId[]>([]);
  useEffect(() => rows.fold(folded), [rows, folded]);
  return useCallback((call: ExchangeId, isFolded: boolean) => {
    setFolded((known) => {
      const others = known.filter((other) => other !== call);
      // A view remembers so many; the oldest are unfolded again.
      return isFolded ? [...others, call].slice(-MAX_FOLDED) : others;
    });
  }, []);
}

/** Closes the detail of a row that another selection no longer lists. */
function useStillListed(
  backend: Backend,
  rows: TrafficRows,
  selection: Selection,
  opened: ExchangeId | null,
  close: () => void,
) {
  const latest = useRef(opened);
  latest.current = opened;
  const first = useRef(selection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks when the selection changes.
  useEffect(() => {
    const id = latest.current;
    if (id === null || selection === first.current) return;
    first.current = selection;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async () => {
      const query = { ...rows.query(), until: id };
      const page = await backend.listTraffic(query, 0, 1).catch(() => null);
      if (isOver || page === null || latest.current !== id) return;
      // Searched from the newest: a row before it means that this one was passed.
      if (page.rows.at(-1)?.id === id) return;
      if (page.complete || page.rows.length > 0) close();
      else timer = setTimeout(ask, LISTED_INTERVAL);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [selection]);
}
