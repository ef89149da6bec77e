import type { Freshness } from '@/backend/bindings';
import { useRemaining } from '@/components/use-remaining';
import { formatDuration, formatSecond } from '@/lib/format';
import styles from './resources.module.css';
import { FRESHNESS } from './texts';

interface Props {
  freshness: Freshness;
  /** True if the server said since then that it changed, or may have. */
  hasChanged: boolean;
}

/** Says when what is shown was read, and whether it still holds. */
export function FreshnessNote({ freshness, hasChanged }: Props) {
  const { readAt, freshUntil: until, scope, fromCache: isKept } = freshness;
  const seconds = useRemaining(until);
  const time = formatSecond(readAt);
  const isFresh = !hasChanged && seconds > 0;
  const state = hasChanged
    ? FRESHNESS.changed
    : until === null
      ? FRESHNESS.notTold
      : isFresh
        ? FRESHNESS.freshFor(formatRemaining(seconds))
        : FRESHNESS.expired;
  return (
    <p
      className={styles.freshness}
      data-state={isFresh ? 'fresh' : until === null && !hasChanged ? 'untold' : 'stale'}
      title={scope === null ? undefined : FRESHNESS.scope[scope]}
    >
      <span aria-hidden="true">{isFresh ? '✓' : until === null && !hasChanged ? '○' : '▲'}</span>{' '}
      {isKept ? FRESHNESS.kept(time) : FRESHNESS.read(time)} · {state}
    </p>
  );
}

function formatRemaining(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}
