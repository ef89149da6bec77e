import { ProgressBar } from 'react-aria-components';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { useProgress } from '@/state/calls';
import styles from './result.module.css';
import type { Run } from './runs';

/** Nothing is said of a call that is over sooner, in milliseconds. */
const PATIENCE = 200;

/** How long a call has been running, and how far it is where the server says. */
export function RunningLine({ run }: { run: Run }) {
  const elapsed = useElapsed(run.startedAt, true);
  const progress = useProgress(run.key);
  if (elapsed < PATIENCE) return null;
  const done = progress?.progress ?? undefined;
  const total = progress?.total ?? undefined;
  const share = done !== undefined && total ? Math.min(100, (done / total) * 100) : undefined;
  const counted = done === undefined ? '' : total ? `${done} of ${total}` : String(done);
  const words = [counted, progress?.message].filter(Boolean).join(' · ');
  return (
    <div className={styles.running}>
      <div className={styles.status} data-short={words === '' || undefined}>
        <span className={styles.busy} aria-hidden>
          ◐
        </span>
        <span className={styles.tabular}>Running for {formatDuration(elapsed)}</span>
        <span className={styles.progressWords}>{words}</span>
      </div>
      {progress && (
        <ProgressBar
          aria-label="Progress"
          value={share ?? 0}
          isIndeterminate={share === undefined}
          className={styles.progress}
        >
          <div
            className={styles.progressFill}
            style={{ width: `${share ?? 100}%` }}
            data-open={share === undefined || undefined}
          />
        </ProgressBar>
      )}
    </div>
  );
}
