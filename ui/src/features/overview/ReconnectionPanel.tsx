import { useBackend } from '@/backend/backend';
import type { Reconnection, ServerView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { Section } from '@/components/section';
import { showError } from '@/components/toast';
import { useRemaining } from '@/components/use-remaining';
import { formatQuantity } from '@/lib/format';
import styles from './overview.module.css';

interface ReconnectionPanelProps {
  server: ServerView;
  reconnection: Reconnection;
}

/** A connection that was lost comes back by itself; here a person hastens or stops that. */
export function ReconnectionPanel({ server, reconnection }: ReconnectionPanelProps) {
  const backend = useBackend();
  const { attempt, next_try: nextTry, reason, waiting } = reconnection;
  const seconds = useRemaining(nextTry);
  return (
    <Section title="Reconnecting">
      <p className={styles.hint}>
        The connection was lost: {reason}.{' '}
        {nextTry === null
          ? `Try ${attempt} is under way.`
          : `Try ${attempt} begins in ${seconds} s.`}
        {waiting > 0 &&
          ` ${formatQuantity(waiting, 'request waits', 'requests wait')} for the connection, three minutes at most.`}
      </p>
      <div className={styles.failureActions}>
        {nextTry !== null && (
          <Button
            variant="primary"
            onPress={() => void backend.connect(server.id).catch(showError)}
          >
            Reconnect now
          </Button>
        )}
        <Button onPress={() => void backend.disconnect(server.id).catch(showError)}>
          Stop trying
        </Button>
      </div>
    </Section>
  );
}
