import { useEffect, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { ScopeFileView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { entirelyVisible, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { fileKey, isFileUnusable } from '@/state/servers/groups';
import { useConfiguredServers, useServers } from '@/state/servers/servers';
import { editConfig } from '@/state/setup/setup-view';
import { canRepair, RepairFile } from '@/widgets/failure/RepairFile';
import styles from './servers.module.css';
import { BROKEN_FILE, FOUND, WELCOME } from './texts';

/** The window before any server is chosen: what is there, the built-in server, and the ways to go on. */
export function Welcome() {
  const servers = useServers((state) => state.servers);
  const files = useServers((state) => state.files);
  const demo = servers.find((server) => server.origin === 'builtIn');
  const unusable = files.filter(isFileUnusable);
  // Several clients may read one file.
  const broken = [...new Map(unusable.toReversed().map((file) => [file.path, file])).values()];
  broken.reverse();
  const ownIsBroken = broken.some(({ target }) => target.client === 'mcp-json');
  const hasOwn = servers.some(({ target }) => target?.client === 'mcp-json');
  const others = servers.filter(({ target }) => target && target.client !== 'mcp-json').length;
  // At the first launch nothing has the focus yet: the keys go on from the first thing to do.
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) page.current?.querySelector('button')?.focus();
  }, []);

  return (
    <div ref={page} className={styles.welcome}>
      <h1>{WELCOME.title}</h1>
      {broken.map((file, index) => (
        <Broken key={fileKey(file)} file={file} isFirst={index === 0} />
      ))}
      {!ownIsBroken && !hasOwn && <p className="remark">{WELCOME.lead(others)}</p>}
      <ol className={styles.steps}>
        {WELCOME.steps.map(([verb, rest]) => (
          <li key={verb}>
            <b>{verb}</b>
            {rest}
          </li>
        ))}
      </ol>
      <div className="flex wrap gap-4">
        {demo && <BuiltIn server={demo} isFirst={broken.length === 0} />}
        <Button onPress={() => runAction('server.add')}>{WELCOME.add}</Button>
        <Button onPress={() => runAction('guide.open')}>{WELCOME.guide}</Button>
      </div>
      <FoundServers />
      <p className={styles.remark}>
        {WELCOME.palette} <Kbd shortcut="mod+k" />
      </p>
    </div>
  );
}

/** A file that is there and cannot be read, and the way to its first mistake. */
function Broken({ file, isFirst }: { file: ScopeFileView; isFirst: boolean }) {
  const first = file.problems.find(({ severity }) => severity === 'error') ?? file.problems[0];
  const variant = isFirst && !canRepair(file.problems) ? 'primary' : 'plain';
  const show = () => useNavigation.getState().open({ server: fileKey(file) });
  return (
    <div role="note" className={styles.broken}>
      <p>
        <span className="bad" aria-hidden="true">
          ✕{' '}
        </span>
        <code>{visibleText(file.label)}</code>
        {WELCOME.unreadable(first?.line)} {entirelyVisible(file.unreadable ?? first?.message ?? '')}
      </p>
      <RepairFile file={file} variant={isFirst ? 'primary' : 'plain'} />
      {first ? (
        <Button
          variant={variant}
          onPress={() => editConfig({ target: file.target, name: null, place: first })}
        >
          {BROKEN_FILE.openAt(first.line)}
        </Button>
      ) : (
        <Button variant={variant} onPress={show}>
          {WELCOME.show}
        </Button>
      )}
    </div>
  );
}

/** Connects the built-in server, or leads to it where it is connected already. */
function BuiltIn({ server, isFirst }: { server: ServerView; isFirst: boolean }) {
  const backend = useBackend();
  const { phase } = server.status;
  const isAtRest = phase === 'disconnected' || phase === 'failed';
  const open = () => {
    useNavigation.getState().open({ server: server.id, tab: 'overview' });
    if (isAtRest) backend.connect(server.id).catch(showError);
  };
  return (
    <Button variant={isFirst ? 'primary' : 'plain'} onPress={open}>
      {isAtRest ? WELCOME.connect(server.name) : WELCOME.open(server.name)}
    </Button>
  );
}

/** Rows that are shown; the sidebar has all of them. */
const MAX_ROWS = 8;

/** Servers that other clients have, and the ways to open one and to take them over. */
function FoundServers() {
  const servers = useConfiguredServers();
  const found = servers.filter(({ target }) => target !== null && target.client !== 'mcp-json');
  if (found.length === 0) return null;
  const take = () => {
    const chosen = found.flatMap(({ target, name }) => (target ? [{ target, name }] : []));
    useDialogs.getState().show({ kind: 'import-servers', chosen });
  };
  const title = FOUND.title(found.length);
  return (
    <section aria-label={title} className="stack gap-3 mt-4">
      <div className={styles.foundHead}>
        <h2>{title}</h2>
        <Button onPress={take}>{FOUND.importAll}</Button>
      </div>
      <ul className={styles.foundRows}>
        {found.slice(0, MAX_ROWS).map((server) => (
          <li key={server.id}>
            <bdi className="truncate mono" title={server.name}>
              {server.name}
            </bdi>
            <bdi className="truncate mono remark" title={server.summary}>
              {server.summary}
            </bdi>
            <span className="truncate text-data remark" title={clientsOf(server)}>
              {clientsOf(server)}
            </span>
            <Button
              variant="quiet"
              aria-label={FOUND.openNamed(server.name)}
              onPress={() => useNavigation.getState().open({ server: server.id, tab: 'overview' })}
            >
              {FOUND.open}
            </Button>
          </li>
        ))}
      </ul>
      {found.length > MAX_ROWS && (
        <p className={styles.remark}>{FOUND.more(found.length - MAX_ROWS)}</p>
      )}
    </section>
  );
}

/** Titles of the clients that define it. */
function clientsOf({ clientTitle: title, also }: ServerView): string {
  return [...new Set([title, ...also.map((place) => place.clientTitle)])].join(', ');
}
