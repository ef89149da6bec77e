import type { ConfigurationView, ImportedServer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { useConfiguration } from '@/state/configuration';
import { useDialogs } from '@/state/dialogs';
import styles from './servers.module.css';
import { FOUND } from './texts';

/** Rows that are shown; the dialog has all of them. */
const MAX_ROWS = 8;

/** A server that other clients define, in the same words. */
interface FoundServer {
  name: string;
  /** The command line or the URL. */
  summary: string;
  /** Titles of the clients. */
  clients: string[];
  /** The first definition, which is the one to take over. */
  source: ImportedServer;
}

/** Servers that were found in the files of other clients, and the way to take them over. */
export function FoundServers() {
  const view = useConfiguration((state) => state.view);
  const found = foundIn(view);
  if (found.length === 0) return null;
  const take = (servers: readonly FoundServer[]) =>
    useDialogs
      .getState()
      .show({ kind: 'import-servers', chosen: servers.map(({ source }) => source) });
  const title = FOUND.title(found.length);
  return (
    <section aria-label={title} className={styles.found}>
      <div className={styles.foundHead}>
        <h2>{title}</h2>
        <Button onPress={() => take(found)}>{FOUND.importAll}</Button>
      </div>
      <ul className={styles.foundRows}>
        {found.slice(0, MAX_ROWS).map((server) => (
          <li key={`${server.name}\n${server.summary}`}>
            <bdi className={styles.foundName} title={server.name}>
              {server.name}
            </bdi>
            <bdi className={styles.foundSummary} title={server.summary}>
              {server.summary}
            </bdi>
            <span className={styles.foundClients} title={server.clients.join(', ')}>
              {server.clients.join(', ')}
            </span>
            <Button
              variant="quiet"
              aria-label={FOUND.importNamed(server.name)}
              onPress={() => take([server])}
            >
              {FOUND.importOne}
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

/** Returns what other clients define; the same server in several clients once. */
function foundIn(view: ConfigurationView): readonly FoundServer[] {
  const found = new Map<string, FoundServer>();
  for (const { client, title, servers } of view.clients) {
    if (client === 'mcp-json') continue;
    for (const { name, summary, scope } of servers) {
      const key = `${name}\n${summary}`;
      const known = found.get(key);
      if (known) known.clients.push(title);
      else {
        const source = { target: { client, scope }, name };
        found.set(key, { name, summary, clients: [title], source });
      }
    }
  }
  return [...found.values()];
}
