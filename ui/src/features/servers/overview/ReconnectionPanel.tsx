import type { Reconnection } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { useRemaining } from '@/components/use-remaining';
import { visibleText } from '@/lib/visible-text';
import styles from './overview.module.css';
import { RECONNECTION } from './texts';

/** A connection that was lost comes back by itself; the header hastens or stops that. */
export function ReconnectionPanel({ reconnection }: { reconnection: Reconnection }) {
  const { attempt, nextTry, reason, waiting } = reconnection;
  const seconds = useRemaining(nextTry);
  return (
    <Section title={RECONNECTION.title}>
      <p className={styles.hint}>
        {RECONNECTION.lost(visibleText(reason))}{' '}
        {nextTry === null ? RECONNECTION.underWay(attempt) : RECONNECTION.begins(attempt, seconds)}
        {waiting > 0 && ` ${RECONNECTION.waiting(waiting)}`}
      </p>
    </Section>
  );
}
