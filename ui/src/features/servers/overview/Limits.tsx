import type { LimitView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts } from '@/components/Section';
import { runAction } from '@/state/actions';
import { phaseLabel } from '@/state/servers/phases';
import styles from './overview.module.css';
import { LIMITS } from './texts';

/** The time limit of each phase, and its source. */
export function Limits({ server }: { server: ServerView }) {
  if (server.limits.length === 0) return null;
  return (
    <details className={styles.advanced}>
      <summary>{LIMITS.title}</summary>
      <Facts
        facts={server.limits.map((limit) => [
          nameOf(limit),
          <span key="limit">
            <span className="mono">{LIMITS.value(limit.limit ?? 0)}</span>{' '}
            <span className="regular remark">({LIMITS.source(limit.setBy)})</span>
          </span>,
        ])}
      />
      <Button onPress={() => runAction('server.settings')}>{LIMITS.change}</Button>
    </details>
  );
}

function nameOf({ phase }: LimitView): string {
  if (phase === null) return LIMITS.wholeStart;
  return phase === 'executing' ? LIMITS.call : phaseLabel(phase);
}
