import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { showError } from '@/state/notices';
import { editTried } from './edit-tried';
import styles from './overview.module.css';
import { TRIED } from './texts';

/** Says that a server is in no file, with the ways to save it and to forget it. */
export function Tried({ server }: { server: ServerView }) {
  const backend = useBackend();
  if (server.origin !== 'tried') return null;
  return (
    <section aria-label={TRIED.title} className={styles.tried}>
      <p>{TRIED.meaning}</p>
      <Button onPress={() => void backend.deleteTried(server.id).catch(showError)}>
        {TRIED.forget}
      </Button>
      <Button variant="primary" onPress={() => editTried(backend, server.id)}>
        {TRIED.save}
      </Button>
    </section>
  );
}
