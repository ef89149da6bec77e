import { BookmarkPlus, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProgressBar } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { runAction, useAction } from '@/state/actions';
import { useProgress } from '@/state/calls/calls';
import { useQuestionOf, useWaiting } from '@/state/calls/questions';
import { isRunning, questionCallOf, type Run } from '@/state/calls/runs';
import { isWaiting, stopRun } from '@/state/calls/start-run';
import { isLive } from '@/state/servers/phases';
import { useServer } from '@/state/servers/servers';
import { TEXT } from '@/widgets/questions/texts';
import { timeLeft } from '@/widgets/questions/time-left';
import styles from './result.module.css';
import { RESULT, RUN } from './texts';

interface RunButtonsProps {
  server: ServerId;
  /** The last run of what they start. */
  run: Run | undefined;
  title: string;
  /** True where it cannot be sent at all. */
  isBlocked?: boolean;
  onRun(options?: { isAnew: boolean }): void;
  onSave(): void;
  /** True where a menu has all but the button that runs it. */
  hasMenu?: boolean;
  /** Further ways to run it. */
  children?: ReactNode;
}

/** Starts a request, stops it while it is under way, and saves it. */
export function RunButtons(props: RunButtonsProps) {
  const { server, run, title, isBlocked = false, onRun, onSave, children } = props;
  const { hasMenu = false } = props;
  const backend = useBackend();
  const running = isRunning(run) ? run : undefined;
  const start = () => !running && !isBlocked && !isMenuOpen() && onRun();
  // While it waits for the connection a second press would only end the first start.
  const restart = () => !(run && isWaiting(run)) && onRun({ isAnew: true });
  const canRestart = run !== undefined && !isBlocked;
  const stop = () => running && stopRun(backend, server, running);
  useAction('call.run', start, { when: running === undefined });
  useAction('call.restart', restart, { when: canRestart });
  useAction('call.cancel', stop, { when: running !== undefined });
  // What cannot be sent is led to instead.
  const save = () => (isBlocked ? runAction('arguments.focus') : onSave());
  useAction('call.save', save, { when: running === undefined });
  return (
    <span className="flex gap-2 push">
      {/* One button, which keeps the focus, and is not built anew twice in every call. */}
      <Button
        variant={running ? 'plain' : 'primary'}
        isDisabled={!running && isBlocked}
        onPress={running ? stop : start}
        aria-label={running ? undefined : title}
      >
        {running ? (
          <>
            {RUN.stop} <Elapsed server={server} run={running} />
          </>
        ) : (
          <>
            {title} <Kbd shortcut="mod+enter" />
          </>
        )}
      </Button>
      {canRestart && !hasMenu && (
        <IconButton
          icon={RotateCw}
          label={RUN.restart}
          shortcut="mod+shift+enter"
          variant="plain"
          onPress={restart}
        />
      )}
      {/* The menu of the result has it once there is one. */}
      {!run && !hasMenu && (
        <IconButton
          icon={BookmarkPlus}
          label={RUN.save}
          variant="plain"
          isDisabled={isBlocked}
          onPress={onSave}
        />
      )}
      {!running && children}
    </span>
  );
}

/** Tells whether the keys are for a menu or the choices of a field. */
function isMenuOpen(): boolean {
  return document.querySelector('[data-trigger="Select"], [data-trigger="MenuTrigger"]') !== null;
}

/** The time of a call; nothing while it waits for the user, whose time does not count. */
function Elapsed({ server, run }: { server: ServerId; run: Run }) {
  const { server: time, waiting } = useRunTime(server, run);
  return waiting === null && <span className="figures faint">{formatDuration(time)}</span>;
}

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
  const question = useQuestionOf(server, questionCallOf(run));
  if (elapsed < SHOW_DELAY) return null;
  if (time.waiting !== null) {
    return <WaitingLine waiting={time.waiting} left={question?.timeLeft ?? null} />;
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

interface WaitingLineProps {
  /** Milliseconds for which the user has been awaited. */
  waiting: number;
  /** Milliseconds that the call has left after that; null without a limit. */
  left: number | null;
}

/** Says that the server waits for the user, whose time does not count. */
function WaitingLine({ waiting, left }: WaitingLineProps) {
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
        {left !== null && <p className="push ellipsis">{timeLeft(left)}</p>}
      </div>
    </div>
  );
}

/** The time that a call has been running. */
interface RunTime {
  /** Milliseconds that the server took so far, without what the user was awaited. */
  server: number;
  /** Milliseconds for which a question has been waiting for the user; null while none waits. */
  waiting: number | null;
}

/** The time of a running call, the server's apart from the user's. */
export function useRunTime(server: ServerId, run: Run): RunTime {
  const { since, before } = useWaiting(server, questionCallOf(run), run.startedAt);
  const elapsed = useElapsed(run.startedAt, true);
  const waiting = useElapsed(since, true);
  const awaited = since === null ? 0 : waiting;
  return {
    server: Math.max(0, elapsed - before - awaited),
    waiting: since === null ? null : waiting,
  };
}
