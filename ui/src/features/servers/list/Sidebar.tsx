import { FileClock, LayoutGrid, ListChecks, Plus, Settings } from 'lucide-react';
import { type MouseEvent, memo, useEffect, useMemo, useRef, useState } from 'react';
import type { ServerId, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { MenuList } from '@/components/Menu';
import { formatCount } from '@/lib/format';
import { ranked } from '@/lib/rank';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { useSessions } from '@/state/record/sessions';
import { groupServers, type ServerGroup, sharedGroups } from '@/state/servers/groups';
import { useConfiguredServers, useServers } from '@/state/servers/servers';
import { setSidebarGroupFolded, useFoldedSidebarGroups } from '@/state/servers/sidebar-groups';
import {
  clientsHere,
  namesOf,
  useConfigCounts,
  useConfiguration,
} from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { useSnapshot } from '@/state/snapshot';
import { useRequestFiles } from '@/state/tests/request-files';
import { keyAt, Layout } from './layout';
import { MarkedServers } from './MarkedServers';
import { ProjectMenu } from './ProjectMenu';
import { ServerFilter } from './ServerFilter';
import { ServerList } from './ServerList';
import styles from './sidebar.module.css';
import { SIDEBAR } from './texts';
import { useRowDrag } from './use-row-drag';
import { useServerMenu } from './use-server-menu';

/** Every server of every client, and the places that are about all of them. */
export function Sidebar() {
  const servers = useConfiguredServers();
  const files = useServers((state) => state.files);
  const selected = useNavigation((state) => (state.place === 'server' ? state.server : null));
  const selectServer = useNavigation((state) => state.selectServer);
  const order = useSnapshot((state) => state.settings.order);
  const known = useRef<readonly ServerGroup[]>([]);
  const groups = useMemo(() => {
    known.current = sharedGroups(known.current, groupServers(servers, files, order));
    return known.current;
  }, [servers, files, order]);
  const [marked, setMarked] = useState<readonly ServerId[]>([]);
  const drag = useRowDrag(groups);
  const folded = useFoldedSidebarGroups();
  const [filter, setFilter] = useState('');
  const found = useMemo(() => matching(groups, filter), [groups, filter]);
  const layout = useMemo(
    () => new Layout(groups, folded, found, servers.length),
    [groups, folded, found, servers.length],
  );
  const list = useRef<HTMLDivElement>(null);
  // Selected from elsewhere, it may be out of sight, or left out by the filter.
  const latest = useRef({ found, groups, layout });
  latest.current = { found, groups, layout };
  // There is nothing to scroll before the rows are there.
  const isDrawn = groups.length > 0;
  useEffect(() => {
    if (selected === null || !isDrawn) return;
    const now = latest.current;
    if (now.found?.every(({ id }) => id !== selected)) setFilter('');
    const group = now.groups.find(({ servers }) => servers.some(({ id }) => id === selected));
    if (group) setSidebarGroupFolded(group.id, false);
    const show = requestAnimationFrame(() => latest.current.layout.reveal(list.current, selected));
    return () => cancelAnimationFrame(show);
  }, [selected, isDrawn]);
  const [menuRow, setMenuRow] = useState<Element | null>(null);
  const openMenu = (event: MouseEvent) => {
    const id = keyAt(event.target);
    if (id === null || !servers.some((server) => server.id === id)) return;
    event.preventDefault();
    if (!marked.includes(id)) {
      setMarked([]);
      selectServer(id);
    }
    setMenuRow((event.target as Element).closest('[role=option]'));
  };
  return (
    <nav aria-label={SIDEBAR.label} className="stack min-w-0 h-full surface-0">
      <ProjectMenu />
      <ServerFilter total={servers.length} value={filter} onChange={setFilter} list={list} />
      {layout.lines.length === 0 && found !== null ? (
        <p className="fill pad-x-6 pad-y-6 faint">{SIDEBAR.nothingMatches}</p>
      ) : (
        <ServerList
          list={list}
          layout={layout}
          search={found === null ? '' : filter}
          selected={selected}
          marked={marked}
          onMark={setMarked}
          onContextMenu={openMenu}
          onPointerDown={filter === '' ? drag : undefined}
        />
      )}
      {marked.length > 1 && <MarkedServers ids={marked} onClose={() => setMarked([])} />}
      <RowMenu row={menuRow} onClose={() => setMenuRow(null)} />
      <Places />
    </nav>
  );
}

/** Places and buttons below the servers. The sidebar is drawn when they change; these are not. */
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

/** Leads to Setup, and says how much is there or what of it waits for the user. */
function SetupRow() {
  const isOpen = useNavigation((state) => state.place === 'setup');
  const { waiting, invalid } = useConfigCounts();
  const clients = useConfiguration(({ view }) => clientsHere(view).length);
  const servers = useConfiguration(({ view }) => namesOf(clientsHere(view)).size);
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
        servers > 0 && <em className={styles.number}>{SIDEBAR.matrix(servers, clients)}</em>
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

/** The servers that a search finds by their names, clients and scopes; null without one. */
function matching(groups: readonly ServerGroup[], search: string): readonly ServerView[] | null {
  if (search.trim() === '') return null;
  const all = groups.flatMap((group) => group.servers);
  return ranked(all, search, ({ name, clientTitle, scopeTitle, also }) => ({
    name,
    more: [clientTitle, scopeTitle, ...also.map((place) => place.clientTitle)],
  }));
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
