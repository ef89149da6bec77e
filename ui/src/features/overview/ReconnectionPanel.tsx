import type { Reconnection } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { useRemaining } from '@/components/use-remaining';
import { formatQuantity } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import styles from './overview.module.css';

/** A connection that was lost comes back by itself; the header hastens or stops that. */
export function ReconnectionPanel({ reconnection }: { reconnection: Reconnection }) {
  const { attempt, next_try: nextTry, reason, waiting } = reconnection;
  const seconds = useRemaining(nextTry);
  return (
    <Section title="Reconnecting">
      <p className={styles.hint}>
        The connection was lost: {visibleText(reason)}.{' '}
        {nextTry === null
          ? `Try ${attempt} is under way.`
          : seconds > 0
            ? `Try ${attempt} begins in ${seconds} s.`
            : `Try ${attempt} begins now.`}
        {waiting > 0 &&
          ` ${formatQuantity(waiting, 'request waits', 'requests wait')} for the connection, three minutes at most.`}
      </p>
    </Section>
  );
}
