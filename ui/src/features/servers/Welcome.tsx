import { useBackend } from '@/backend/backend';
import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { useServers } from '@/state/servers';
import { FoundServers } from './FoundServers';
import styles from './servers.module.css';
import { WELCOME } from './texts';

/** The window before any server is configured: the built-in one, and the ways to go on. */
export function Welcome() {
  const backend = useBackend();
  const servers = useServers((state) => state.servers);
  const project = useServers((state) => state.project);
  const demo = servers.find((server) => server.origin === 'built_in');

  const connect = () => {
    if (!demo) return;
    useNavigation.getState().open({ server: demo.id, tab: 'overview' });
    backend.connect(demo.id).catch(showError);
  };

  return (
    <div className={styles.welcome}>
      <h1>{WELCOME.title}</h1>
      <p className={styles.lead}>
        {WELCOME.lead[0]}
        <code>{visibleText(project.name)}</code>
        {WELCOME.lead[1]}
      </p>
      <ol className={styles.steps}>
        {WELCOME.steps.map(([verb, rest]) => (
          <li key={verb}>
            <b>{verb}</b>
            {rest}
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        {demo && (
          <Button variant="primary" onPress={connect}>
            {WELCOME.connect(demo.name)}
          </Button>
        )}
        <Button onPress={() => runAction('server.add')}>{WELCOME.add}</Button>
      </div>
      <FoundServers />
      <p className={styles.remark}>
        {WELCOME.palette} <Kbd shortcut="mod+k" />
      </p>
    </div>
  );
}
