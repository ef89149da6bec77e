import type { LimitSource, LimitView, ServerView } from '@/backend/bindings';
import { Facts } from '@/components/Section';
import { formatDuration } from '@/lib/format';
import { phaseLabel } from '@/state/phases';
import styles from './overview.module.css';

/** The time limit of each phase, and its source. */
export function Limits({ server }: { server: ServerView }) {
  if (server.limits.length === 0) return null;
  return (
    <details className={styles.advanced}>
      <summary>Advanced: time limits</summary>
      <Facts
        facts={server.limits.map((limit) => [
          nameOf(limit),
          <span key="limit">
            <span className="mono">{formatDuration(limit.limit ?? 0)}</span>{' '}
            <span className={styles.remark}>{sourceText(limit.set_by)}</span>
          </span>,
        ])}
      />
    </details>
  );
}

function nameOf({ phase }: LimitView): string {
  if (phase === null) return 'Whole start';
  return phase === 'executing' ? 'One call' : phaseLabel(phase);
}

/** Names the source of a limit. */
export function sourceText(source: LimitSource): string {
  switch (source.kind) {
    case 'default':
      return 'default';
    case 'package_runner':
      return `default for ${source.program}, which may download first`;
    case 'entry':
      return `${source.field} in its entry`;
    case 'variable':
      return `variable ${source.name}`;
  }
}
