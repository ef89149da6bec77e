import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { useConfiguredServers } from '@/state/servers/servers';
import styles from './servers.module.css';
import { FOUND } from './texts';

/** Rows that are shown; the sidebar has all of them. */
const MAX_ROWS = 8;

/** Servers that other clients have, and the ways to open one and to take them over. */
export function FoundServers() {
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
