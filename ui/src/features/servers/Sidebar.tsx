import { Plus, Rows3, Settings } from 'lucide-react';
import { type MouseEvent, memo, useEffect, useMemo, useRef, useState } from 'react';
import { Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components';
import type { ScopeFileView, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { classes } from '@/components/classes';
import { Kbd } from '@/components/Kbd';
import { moveByLetters } from '@/components/letter-keys';
import { Tooltip } from '@/components/Tooltip';
import { ranked } from '@/lib/rank';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useConfigView } from '@/state/config-view';
import { useConfigCounts } from '@/state/configuration';
import { fileKey, groupServers, isFileUnusable, type ServerGroup } from '@/state/groups';
import { useNavigation } from '@/state/navigation';
import { useConfiguredServers, useServers } from '@/state/servers';
import { RowMenu } from './RowMenu';
import { ServerFilter } from './ServerFilter';
import { ServerRow } from './ServerRow';
import styles from './sidebar.module.css';
import { SIDEBAR } from './texts';

/** Every server of the project, by the scope that defines it. */
export function Sidebar() {
  const project = useServers((state) => state.project);
  const servers = useConfiguredServers();
  const files = useServers((state) => state.files);
  const selected = useNavigation((state) => (state.place === 'server' ? state.server : null));
  const selectServer = useNavigation((state) => state.selectServer);
  const groups = useMemo(() => groupServers(servers, files), [servers, files]);
  const [filter, setFilter] = useState('');
  const found = useMemo(() => matching(groups, filter), [groups, filter]);
  const list = useRef<HTMLDivElement>(null);
  // Selected from elsewhere, it may be out of sight, or left out by the filter.
  const latestFound = useRef(found);
  latestFound.current = found;
  useEffect(() => {
    if (selected === null) return;
    if (latestFound.current?.every(({ id }) => id !== selected)) setFilter('');
    const show = requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-key=${CSS.escape(selected)}]`);
      row?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(show);
  }, [selected]);
  const [menuRow, setMenuRow] = useState<Element | null>(null);
  const openMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    const id = row?.getAttribute('data-key');
    if (!row || !servers.some((server) => server.id === id)) return;
    event.preventDefault();
    selectServer(id ?? null);
    setMenuRow(row);
  };
  return (
    <nav aria-label={SIDEBAR.label} className={styles.sidebar}>
      <div className={styles.project}>
        <Tooltip text={project.path}>
          <Button
            variant="quiet"
            className={styles.projectButton}
            onPress={() => runAction('palette.jump')}
          >
            <bdi className={styles.projectName}>{visibleText(project.name)}</bdi>
            <Kbd shortcut="mod+p" />
          </Button>
        </Tooltip>
      </div>
      <ConfigRow />
      <ServerFilter total={servers.length} value={filter} onChange={setFilter} list={list} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the pointer and the keys */}
      <div
        ref={list}
        className={styles.scroll}
        onKeyDownCapture={moveByLetters}
        onContextMenu={openMenu}
      >
        <ListBox
          aria-label={SIDEBAR.label}
          renderEmptyState={() => <p className={styles.nothing}>{SIDEBAR.nothingMatches}</p>}
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={selected === null ? [] : [selected]}
          onSelectionChange={(keys) => {
            const [key] = keys === 'all' ? [] : keys;
            if (typeof key === 'string') selectServer(key);
          }}
          className={styles.list}
        >
          {found === null ? (
            <Groups groups={groups} />
          ) : (
            found.length > 0 && <Matches found={found} total={servers.length} search={filter} />
          )}
        </ListBox>
      </div>
      <RowMenu row={menuRow} onClose={() => setMenuRow(null)} />
      <div className={styles.foot}>
        <Button variant="quiet" onPress={() => runAction('server.add')}>
          <Plus size={14} aria-hidden="true" />
          {SIDEBAR.add}
        </Button>
        <IconButton
          label={SIDEBAR.settings}
          shortcut="mod+,"
          onPress={() => runAction('settings.open')}
        >
          <Settings size={15} aria-hidden="true" />
        </IconButton>
      </div>
    </nav>
  );
}

/** Leads to the configuration, and says when something there waits for the user. */
function ConfigRow() {
  const isOpen = useNavigation((state) => state.place === 'config');
  const { waiting, invalid } = useConfigCounts();
  const hasDraft = useConfigView((state) => state.hasChanges && state.editing !== null);
  return (
    <Button
      variant="quiet"
      className={styles.config}
      aria-current={isOpen ? 'page' : undefined}
      onPress={() => runAction('config.open')}
    >
      <Rows3 size={13} aria-hidden="true" />
      {SIDEBAR.config}
      {hasDraft && !isOpen ? (
        <em className={styles.waiting}>{SIDEBAR.draft}</em>
      ) : waiting > 0 ? (
        <em className={styles.waiting}>{SIDEBAR.toApprove(waiting)}</em>
      ) : (
        invalid > 0 && <em className={styles.invalid}>{SIDEBAR.invalid(invalid)}</em>
      )}
    </Button>
  );
}

/** Does not depend on any status: each row follows its own server. */
const Groups = memo(function Groups({ groups }: { groups: readonly ServerGroup[] }) {
  return groups.map((group) => (
    <ListBoxSection key={group.id} id={group.id} aria-label={group.title}>
      <Header className={styles.group}>
        <b>{group.title}</b>
        {group.file && <span title={group.file.path}>{group.file.label}</span>}
      </Header>
      {group.file && isFileUnusable(group.file) && <BrokenFileRow file={group.file} />}
      {group.servers.map((server) => rowOf(server, ''))}
    </ListBoxSection>
  ));
});

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

/** The servers that a search finds by their names and scopes; null without one. */
function matching(groups: readonly ServerGroup[], search: string): readonly ServerView[] | null {
  if (search.trim() === '') return null;
  const all = groups.flatMap(({ title, servers }) =>
    servers.map((server) => ({ server, scope: title })),
  );
  const found = ranked(all, search, ({ server, scope }) => ({ name: server.name, more: [scope] }));
  return found.map(({ server }) => server);
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
      <span className={styles.name}>
        {file.state === 'unreadable' ? SIDEBAR.unreadableFile : SIDEBAR.brokenFile}
      </span>
      {first && <em>{SIDEBAR.place(first.line, first.column)}</em>}
    </ListBoxItem>
  );
}
