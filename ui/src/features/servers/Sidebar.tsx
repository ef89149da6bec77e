import { Plus, Rows3, Settings } from 'lucide-react';
import { type MouseEvent, memo, useEffect, useMemo, useRef, useState } from 'react';
import { Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components';
import type { ScopeFileView, ServerId, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { classes } from '@/components/classes';
import { Kbd } from '@/components/Kbd';
import { moveByLetters } from '@/components/letter-keys';
import { Tooltip } from '@/components/Tooltip';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useConfigView } from '@/state/config-view';
import { useConfigCounts } from '@/state/configuration';
import { fileKey, groupServers, isFileUnusable, type ServerGroup } from '@/state/groups';
import { useNavigation } from '@/state/navigation';
import { conditionText, obstacleOf } from '@/state/obstacle';
import { phaseLabel } from '@/state/phases';
import { useRequestCount } from '@/state/requests';
import { useConfiguredServers, useServer, useServers } from '@/state/servers';
import { ConditionGlyph } from '@/widgets/ConditionGlyph';
import { RowMenu } from './RowMenu';
import styles from './sidebar.module.css';

/** Every server of the project, by the scope that defines it. */
export function Sidebar() {
  const project = useServers((state) => state.project);
  const servers = useConfiguredServers();
  const files = useServers((state) => state.files);
  const selected = useNavigation((state) => (state.place === 'server' ? state.server : null));
  const selectServer = useNavigation((state) => state.selectServer);
  const groups = useMemo(() => groupServers(servers, files), [servers, files]);
  const list = useRef<HTMLDivElement>(null);
  // Selected from elsewhere, it may be out of sight.
  useEffect(() => {
    if (selected === null) return;
    const row = list.current?.querySelector(`[data-key=${CSS.escape(selected)}]`);
    row?.scrollIntoView({ block: 'nearest' });
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
    <nav aria-label="Servers" className={styles.sidebar}>
      <div className={styles.project}>
        <Tooltip text={project.path}>
          <Button
            variant="quiet"
            className={styles.projectButton}
            onPress={() => runAction('palette.jump')}
          >
            <span className={styles.projectName}>{visibleText(project.name)}</span>
            <Kbd shortcut="mod+p" />
          </Button>
        </Tooltip>
      </div>
      <ConfigRow />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the pointer and the keys */}
      <div
        ref={list}
        className={styles.scroll}
        onKeyDownCapture={moveByLetters}
        onContextMenu={openMenu}
      >
        <ListBox
          aria-label="Servers"
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
          <Groups groups={groups} />
        </ListBox>
      </div>
      <RowMenu row={menuRow} onClose={() => setMenuRow(null)} />
      <div className={styles.foot}>
        <Button variant="quiet" onPress={() => runAction('server.add')}>
          <Plus size={14} aria-hidden="true" />
          Add server
        </Button>
        <IconButton label="Settings" shortcut="mod+," onPress={() => runAction('settings.open')}>
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
      Config
      {hasDraft && !isOpen ? (
        <em className={styles.waiting}>● Not saved</em>
      ) : waiting > 0 ? (
        <em className={styles.waiting}>{waiting} to approve</em>
      ) : (
        invalid > 0 && <em className={styles.invalid}>{invalid} invalid</em>
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
        {group.file && <span>{group.file.label}</span>}
      </Header>
      {group.file && isFileUnusable(group.file) && <BrokenFileRow file={group.file} />}
      {group.servers.map(({ id, name, disabled }) => (
        <ListBoxItem
          key={id}
          id={id}
          textValue={name}
          className={classes(styles.row, disabled && styles.disabled)}
        >
          <ServerRow id={id} />
        </ListBoxItem>
      ))}
    </ListBoxSection>
  ));
});

const ServerRow = memo(function ServerRow({ id }: { id: ServerId }) {
  const server = useServer(id);
  const waiting = useRequestCount(id);
  if (!server) return null;
  return (
    <>
      <ConditionGlyph server={server} />
      <span className={styles.name} title={rowTitle(server)}>
        {visibleText(server.name)}
      </span>
      {waiting > 0 ? (
        <em className={styles.waiting}>{waiting === 1 ? '1 request' : `${waiting} requests`}</em>
      ) : (
        <em>{rowText(server)}</em>
      )}
    </>
  );
});

/** Returns what the row has no room for: the whole reason, or the response time. */
function rowTitle(server: ServerView): string | undefined {
  const { failure, handshake, health } = server.status;
  if (obstacleOf(server) || failure) return conditionText(server);
  const roundTrip = health?.round_trip ?? handshake?.round_trip ?? null;
  return roundTrip === null ? undefined : `Latency ${formatDuration(roundTrip)}`;
}

function rowText(server: ServerView): string {
  const { phase, failure, reconnection } = server.status;
  const obstacle = obstacleOf(server);
  if (obstacle) return visibleText(obstacle.reason);
  if (failure?.failure.kind === 'sign_in_required') return 'Sign in';
  if (reconnection) return 'Reconnecting';
  if (server.disabled && phase === 'disconnected') return 'Disabled';
  return phaseLabel(phase);
}

function BrokenFileRow({ file }: { file: ScopeFileView }) {
  const [first] = file.problems;
  return (
    <ListBoxItem id={fileKey(file)} textValue={file.label} className={styles.row}>
      <span className={styles.broken} aria-hidden="true">
        ✕
      </span>
      <span className={styles.name}>
        {file.state === 'unreadable' ? 'Unreadable file' : 'Broken file'}
      </span>
      {first && (
        <em>
          line {first.line}, column {first.column}
        </em>
      )}
    </ListBoxItem>
  );
}
