import { ProgressBar } from 'react-aria-components';
import type { ServerId } from '@/backend/bindings';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { useProgress } from '@/state/calls/calls';
import type { Run } from '@/state/calls/runs';
import { isLive } from '@/state/servers/phases';
import { useServer } from '@/state/servers/servers';
import { TEXT } from '@/widgets/questions/texts';
import styles from './result.module.css';
import { RESULT } from './texts';
import { useRunTime } from './use-run-time';

/** Milliseconds before a running call is mentioned. */
const SHOW_DELAY = 200;

/**
 * Shows the time of a running call and its progress where the server tells it; or that it waits for
 * the user, whose time does not count.
 */
export function RunningLine({ server, run }: { server: ServerId; run: Run }) {
  const time = useRunTime(server, run);
  const elapsed = useElapsed(run.startedAt, true);
  const progress = useProgress(run.key);
  const isSent = isLive(useServer(server)?.status.phase ?? 'ready');
  if (elapsed < SHOW_DELAY) return null;
  if (time.waiting !== null) {
    return <WaitingLine waiting={time.waiting} />;
  }
  const done = progress?.progress ?? undefined;
  const total = progress?.total ?? undefined;
  const share = done !== undefined && total ? Math.min(100, (done / total) * 100) : undefined;
  const counted = done === undefined ? '' : total ? RESULT.progressOf(done, total) : String(done);
  const text = [counted, progress?.message].filter(Boolean).join(' · ');
  return (
    <div className="flex-none">
      <div className={styles.status} data-short={text === '' || undefined}>
        <span className="busy" aria-hidden>
          ◐
        </span>
        <p className="figures">
          {isSent ? RESULT.runningFor(formatDuration(time.server)) : RESULT.connecting}
        </p>
        <bdi className="push ellipsis">{text}</bdi>
      </div>
      {progress && (
        <ProgressBar
          aria-label={RESULT.progress}
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

/** Says that the server waits for the user, whose time does not count. */
function WaitingLine({ waiting }: { waiting: number }) {
  return (
    <div className="flex-none">
      <div className={styles.status} role="status">
        <span className="warn" aria-hidden>
          ▲
        </span>
        <p>{TEXT.waiting}</p>
        {waiting >= 1000 && (
          <span className="figures" aria-hidden>
            {formatDuration(Math.floor(waiting / 1000) * 1000)}
          </span>
        )}
        <p className="push ellipsis">{TEXT.clockStopped}</p>
      </div>
    </div>
  );
}
