import { useBackend } from '@/backend/backend';
import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { runAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { useServers } from '@/state/servers';
import { FoundServers } from './FoundServers';
import styles from './servers.module.css';

/** The window before any server is configured: the built-in one, and the ways to go on. */
export function Welcome() {
  const backend = useBackend();
  const servers = useServers((state) => state.servers);
  const project = useServers((state) => state.project);
  const demo = servers.find((server) => server.scope === null);

  const connect = () => {
    if (!demo) return;
    useNavigation.getState().open({ server: demo.id, tab: 'overview' });
    backend.connect(demo.id).catch(showError);
  };

  return (
    <div className={styles.welcome}>
      <h1>See what flows between you and an MCP server</h1>
      <p className={styles.lead}>
        No server is configured for <code>{project.name}</code> yet. The Demo server is built in and
        needs nothing.
      </p>
      <ol className={styles.steps}>
        <li>
          <b>Connect</b> to a server and watch it go through each phase.
        </li>
        <li>
          <b>Call</b> its tools through forms, read its resources, fill in its prompts.
        </li>
        <li>
          <b>Look</b> at every message below, exactly as it crossed the wire.
        </li>
      </ol>
      <div className={styles.actions}>
        {demo && (
          <Button variant="primary" onPress={connect}>
            Connect to {demo.name}
          </Button>
        )}
        <Button onPress={() => runAction('server.add')}>Add a server of your own</Button>
      </div>
      <FoundServers />
      <p className={styles.remark}>
        Everything can be reached from the command palette: <Kbd shortcut="mod+k" />
      </p>
    </div>
  );
}
