import {
  ChevronDown,
  ChevronRight,
  FileClock,
  LayoutGrid,
  ListChecks,
  Plus,
  Settings,
} from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  Collection,
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  ListLayout,
  type Selection,
  Virtualizer,
} from 'react-aria-components';
import type { ScopeFileView, ServerId, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { classes } from '@/components/classes';
import { moveByLetters } from '@/components/letter-keys';
import { MenuList } from '@/components/Menu';
import { formatCount } from '@/lib/format';
import { ranked } from '@/lib/rank';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { useSessions } from '@/state/record/sessions';
import { fileKey, groupServers, type ServerGroup, sharedGroups } from '@/state/servers/groups';
import { useConfiguredServers, useServers } from '@/state/servers/servers';
import { setSidebarGroupFolded, useFoldedSidebarGroups } from '@/state/servers/sidebar-groups';
import { useConfigCounts, useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { useSnapshot } from '@/state/snapshot';
import { useRequestFiles } from '@/state/tests/request-files';
import { MarkedServers } from './MarkedServers';
import { ProjectMenu } from './ProjectMenu';
import { ServerFilter } from './ServerFilter';
import { ServerRow } from './ServerRow';
import styles from './sidebar.module.css';
import { SIDEBAR } from './texts';
import { useRowDrag } from './use-row-drag';
import { useServerMenu } from './use-server-menu';

/** Heights as in the styles: of rows, and of the headers of groups. */
const ROW_SIZE = 28;
const HEADING_SIZE = 32;
const LAYOUT = { rowSize: ROW_SIZE, headingSize: HEADING_SIZE };
/** Stands before the id of a group in the key of its line, where it is collapsed. */
const GROUP = 'group:';
/** Stands before the id of a group in the key of its section: a server may be named as a scope. */
const SECTION = 'section:';

/** The most rows that the first picture waits for. */
const MAX_AT_ONCE = 60;
const NO_GROUPS: readonly ServerGroup[] = [];

/** Every server of every client, and the places that are about all of them. */
export function Sidebar() {
  const servers = useConfiguredServers();
  const files = useServers((state) => state.files);
  const selected = useNavigation((state) => (state.place === 'server' ? state.server : null));
  const selectServer = useNavigation((state) => state.selectServer);
  const order = useSnapshot((state) => state.settings.order);
  const known = useRef<readonly ServerGroup[]>(NO_GROUPS);
  const groups = useMemo(() => {
    known.current = sharedGroups(known.current, groupServers(servers, files, order));
    return known.current;
  }, [servers, files, order]);
  // Hundreds of rows are prepared between frames, so that nothing waits for them.
  const drawn = useDeferredValue(groups, servers.length > MAX_AT_ONCE ? NO_GROUPS : groups);
  const [marked, setMarked] = useState<readonly ServerId[]>([]);
  const drag = useRowDrag(groups);
  const folded = useFoldedSidebarGroups();
  const [filter, setFilter] = useState('');
  const found = useMemo(() => matching(groups, filter), [groups, filter]);
  const list = useRef<HTMLDivElement>(null);
  // Selected from elsewhere, it may be out of sight, or left out by the filter.
  const latest = useRef({ found, groups, folded });
  latest.current = { found, groups, folded };
  // There is nothing to scroll before the rows are there.
  const isDrawn = drawn.length > 0;
  useEffect(() => {
    if (selected === null || !isDrawn) return;
    const now = latest.current;
    if (now.found?.every(({ id }) => id !== selected)) setFilter('');
    const group = now.groups.find(({ servers }) => servers.some(({ id }) => id === selected));
    if (group) setSidebarGroupFolded(group.id, false);
    // Only the rows in view are drawn, so that its place has to be counted.
    const show = requestAnimationFrame(() => {
      const scroller = list.current?.querySelector('[role=listbox]');
      const top = topOf(latest.current.groups, latest.current.folded, selected);
      if (!scroller || top === null) return;
      const hidden = top + ROW_SIZE - scroller.clientHeight;
      if (scroller.scrollTop > top - HEADING_SIZE) scroller.scrollTop = top - HEADING_SIZE;
      else if (scroller.scrollTop < hidden) scroller.scrollTop = hidden;
    });
    return () => cancelAnimationFrame(show);
  }, [selected, isDrawn]);
  const [menuRow, setMenuRow] = useState<Element | null>(null);
  const openMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    const id = row?.getAttribute('data-key');
    if (!row || !servers.some((server) => server.id === id)) return;
    event.preventDefault();
    if (!marked.includes(id ?? '')) {
      setMarked([]);
      selectServer(id ?? null);
    }
    setMenuRow(row);
  };
  /** Left collapses the group of the row at hand, Right expands it. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isLeft = event.key === 'ArrowLeft';
    const row = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    const key = row?.getAttribute('data-key') ?? null;
    if (key === null || filter !== '' || (!isLeft && event.key !== 'ArrowRight')) {
      moveByLetters(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (key.startsWith(GROUP) && !isLeft) foldGroup(key.slice(GROUP.length), false);
    const group = groups.find(({ servers }) => servers.some(({ id }) => id === key));
    if (group && isLeft) foldGroup(group.id, true);
  };
  /** The focus goes with the group, whose row is another one then. */
  const foldGroup = (id: string, isFolded: boolean) => {
    setSidebarGroupFolded(id, isFolded);
    const first = groups.find((group) => group.id === id)?.servers[0]?.id;
    const key = isFolded ? GROUP + id : first;
    requestAnimationFrame(() => {
      if (key === undefined) return;
      list.current?.querySelector<HTMLElement>(`[data-key=${CSS.escape(key)}]`)?.focus();
    });
  };
  return (
    <nav aria-label={SIDEBAR.label} className="stack min-w-0 h-full surface-0">
      <ProjectMenu />
      <ServerFilter total={servers.length} value={filter} onChange={setFilter} list={list} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the pointer and the keys */}
      <div
        ref={list}
        className="fill"
        onKeyDownCapture={onKeyDown}
        onContextMenu={openMenu}
        onPointerDownCapture={filter === '' ? drag : undefined}
      >
        <ServerList
          groups={drawn}
          folded={folded}
          found={found}
          total={found === null ? 0 : servers.length}
          search={filter}
          selected={selected}
          marked={marked}
          onMark={setMarked}
        />
      </div>
      {marked.length > 1 && <MarkedServers ids={marked} onClose={() => setMarked([])} />}
      <RowMenu row={menuRow} onClose={() => setMenuRow(null)} />
      <Places />
    </nav>
  );
}

/** Places and buttons below the servers. The sidebar is drawn twice when they change; these are not. */
const Places = memo(function Places() {
  return (
    <>
      <div className={styles.places}>
        <SetupRow />
        <TestsRow />
        <SessionRows />
      </div>
      <div className={styles.foot}>
        <Button variant="quiet" onPress={() => runAction('server.add')}>
          <Plus size={14} />
          {SIDEBAR.add}
        </Button>
        <IconButton
          icon={Settings}
          label={SIDEBAR.settings}
          shortcut="mod+,"
          onPress={() => runAction('settings.open')}
        />
      </div>
    </>
  );
});

interface ServerListProps extends GroupsProps {
  /** The servers that a search found; null without one. */
  found: readonly ServerView[] | null;
  total: number;
  search: string;
  selected: ServerId | null;
  /** The servers that are selected together. */
  marked: readonly ServerId[];
  onMark: (ids: readonly ServerId[]) => void;
}

/** The rows. A change of a status draws nothing here. */
const ServerList = memo(function ServerList(props: ServerListProps) {
  const { groups, folded, found, total, search, selected, marked, onMark } = props;
  const choose = (keys: Selection) => {
    const { servers } = useServers.getState();
    const chosen = keys === 'all' ? servers.map(({ id }) => id) : [...keys].map(String);
    const [key] = chosen;
    if (chosen.length > 1) {
      onMark(chosen.filter((id) => servers.some((server) => server.id === id)));
      return;
    }
    onMark([]);
    if (key === undefined) return;
    if (key.startsWith(GROUP)) setSidebarGroupFolded(key.slice(GROUP.length), false);
    else useNavigation.getState().selectServer(key);
  };
  return (
    <Virtualizer layout={ListLayout} layoutOptions={LAYOUT}>
      <ListBox
        aria-label={SIDEBAR.label}
        renderEmptyState={() =>
          found !== null && <p className="pad-x-6 pad-y-6 faint">{SIDEBAR.nothingMatches}</p>
        }
        selectionMode="multiple"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={marked.length > 1 ? marked : selected === null ? [] : [selected]}
        onSelectionChange={choose}
        className="h-full scroll no-outline"
      >
        {found === null ? (
          <Groups groups={groups} folded={folded} />
        ) : (
          found.length > 0 && <Matches found={found} total={total} search={search} />
        )}
      </ListBox>
    </Virtualizer>
  );
});

/** Returns where the row of a server begins, in pixels; null for one that is not in the list. */
function topOf(
  groups: readonly ServerGroup[],
  folded: ReadonlySet<string>,
  id: string,
): number | null {
  let top = 0;
  for (const group of groups) {
    const index = group.servers.findIndex((server) => server.id === id);
    const first = HEADING_SIZE + group.files.length * ROW_SIZE;
    if (index >= 0) return top + first + index * ROW_SIZE;
    top += folded.has(group.id) ? ROW_SIZE : first + group.servers.length * ROW_SIZE;
  }
  return null;
}

/** Leads to Setup, and says how much is there or what of it waits for the user. */
function SetupRow() {
  const isOpen = useNavigation((state) => state.place === 'setup');
  const { waiting, invalid } = useConfigCounts();
  const servers = useServers((state) => state.servers.length);
  const clients = useConfiguration(
    ({ view }) => view.clients.filter((client) => client.servers.length > 0).length,
  );
  const hasDraft = useSetupView((state) => state.hasChanges && state.editing !== null);
  return (
    <Button
      variant="quiet"
      className={styles.config}
      aria-current={isOpen ? 'page' : undefined}
      onPress={() => runAction('setup.open')}
    >
      <LayoutGrid size={13} />
      {SIDEBAR.setup}
      {hasDraft && !isOpen ? (
        <em className={styles.waiting}>{SIDEBAR.draft}</em>
      ) : waiting > 0 ? (
        <em className={styles.waiting}>{SIDEBAR.toApprove(waiting)}</em>
      ) : invalid > 0 ? (
        <em className={styles.invalid}>{SIDEBAR.invalid(invalid)}</em>
      ) : (
        clients > 0 && <em className={styles.number}>{SIDEBAR.matrix(servers, clients)}</em>
      )}
    </Button>
  );
}

/** Leads to the tests of the project, with how the last run went. */
function TestsRow() {
  const isOpen = useNavigation((state) => state.place === 'tests');
  const run = useRequestFiles((state) => state.run);
  const count = useRequestFiles((state) => state.view?.requests.length ?? 0);
  const bad = run ? run.totals.failed + run.totals.error : 0;
  return (
    <Button
      variant="quiet"
      className={styles.config}
      aria-current={isOpen ? 'page' : undefined}
      onPress={() => runAction('tests.open')}
    >
      <ListChecks size={13} />
      {SIDEBAR.tests}
      {run?.isRunning ? (
        <em>{SIDEBAR.testsRunning}</em>
      ) : bad > 0 ? (
        <em className={styles.invalid}>{SIDEBAR.testsFailed(bad)}</em>
      ) : run && run.totals.passed > 0 ? (
        <em className={styles.number}>{SIDEBAR.testsPassed(run.totals.passed)}</em>
      ) : (
        count > 0 && <em className={styles.number}>{formatCount(count)}</em>
      )}
    </Button>
  );
}

/** Leads to the opened session files. */
function SessionRows() {
  const sessions = useSessions((state) => state.sessions);
  const shown = useNavigation((state) => (state.place === 'session' ? state.session : null));
  const openSession = useNavigation((state) => state.openSession);
  return sessions.map(({ id, name, state }) => (
    <Button
      key={id}
      variant="quiet"
      className={styles.config}
      aria-current={shown === id ? 'page' : undefined}
      aria-label={SIDEBAR.session(visibleText(name))}
      onPress={() => openSession(id)}
    >
      <FileClock size={13} />
      <bdi className="truncate">{visibleText(name)}</bdi>
      {state.type === 'loading' && <em className={styles.number}>{SIDEBAR.sessionLoading}</em>}
    </Button>
  ));
}

interface GroupsProps {
  groups: readonly ServerGroup[];
  folded: ReadonlySet<string>;
}

/** Does not depend on any status: each row follows its own server. */
const Groups = memo(function Groups({ groups, folded }: GroupsProps) {
  return groups.map((group) => (
    <Group key={group.id} group={group} isFolded={folded.has(group.id)} />
  ));
});

/** A group whose servers have not changed is kept, and so are the rows of such servers. */
const Group = memo(function Group({ group, isFolded }: { group: ServerGroup; isFolded: boolean }) {
  return isFolded ? (
    <ListBoxSection id={SECTION + group.id} aria-label={group.title}>
      <ListBoxItem
        id={GROUP + group.id}
        textValue={SIDEBAR.collapsed(group.title, group.servers.length)}
        aria-label={SIDEBAR.collapsed(group.title, group.servers.length)}
        className={classes(styles.group, styles.foldedGroup)}
      >
        <GroupTitle group={group} isFolded />
        <span>{group.servers.length}</span>
      </ListBoxItem>
    </ListBoxSection>
  ) : (
    <ListBoxSection id={SECTION + group.id} aria-label={group.title}>
      <Header className={styles.group} onClick={() => setSidebarGroupFolded(group.id, true)}>
        <GroupTitle group={group} isFolded={false} />
      </Header>
      {group.files.map((file) => (
        <BrokenFileRow key={fileKey(file)} file={file} />
      ))}
      <Collection items={group.servers}>{plainRow}</Collection>
    </ListBoxSection>
  );
});

const plainRow = (server: ServerView) => rowOf(server, '');

function GroupTitle({ group, isFolded }: { group: ServerGroup; isFolded: boolean }) {
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <>
      <Chevron size={11} aria-hidden="true" className={styles.chevron} />
      <b>{group.title}</b>
    </>
  );
}

interface MatchesProps {
  found: readonly ServerView[];
  total: number;
  search: string;
}

/** The servers that a search found, the best first. */
function Matches({ found, total, search }: MatchesProps) {
  const label = SIDEBAR.matches(found.length, total);
  return (
    <ListBoxSection id="matches" aria-label={label}>
      <Header className={styles.group}>{label}</Header>
      {found.map((server) => rowOf(server, search))}
    </ListBoxSection>
  );
}

/** The servers that a search finds by their names, clients and scopes; null without one. */
function matching(groups: readonly ServerGroup[], search: string): readonly ServerView[] | null {
  if (search.trim() === '') return null;
  const all = groups.flatMap((group) => group.servers);
  return ranked(all, search, ({ name, clientTitle, scopeTitle, also }) => ({
    name,
    more: [clientTitle, scopeTitle, ...also.map((place) => place.clientTitle)],
  }));
}

function rowOf({ id, name, disabled }: ServerView, search: string) {
  return (
    <ListBoxItem
      key={id}
      id={id}
      textValue={name}
      className={classes(styles.row, disabled && styles.disabled)}
    >
      <ServerRow id={id} search={search} />
    </ListBoxItem>
  );
}

function BrokenFileRow({ file }: { file: ScopeFileView }) {
  const [first] = file.problems;
  return (
    <ListBoxItem id={fileKey(file)} textValue={file.label} className={styles.row}>
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
    </ListBoxItem>
  );
}

interface Props {
  /** The row that was clicked; its server is selected. */
  row: Element | null;
  onClose(): void;
}

/** The menu of a row in the sidebar. */
function RowMenu({ row, onClose }: Props) {
  const groups = useServerMenu();
  if (row === null) return null;
  return (
    <MenuList
      label={SIDEBAR.menu}
      triggerRef={{ current: row }}
      groups={groups}
      onClose={onClose}
    />
  );
}
