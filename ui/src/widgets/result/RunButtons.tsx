import { BookmarkPlus, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { formatDuration } from '@/lib/format';
import { useAction } from '@/state/actions';
import { isRunning, type Run } from '@/state/calls/runs';
import { stopRun } from '@/state/calls/start-run';
import { RUN } from './texts';
import { useRunTime } from './use-run-time';

interface RunButtonsProps {
  server: ServerId;
  /** The last run of what they start. */
  run: Run | undefined;
  title: string;
  /** True where it cannot be sent at all. */
  isBlocked?: boolean;
  onRun(options?: { isAnew: boolean }): void;
  onSave(): void;
  /** False where a menu has it. */
  showsRestart?: boolean;
  /** Further ways to run it. */
  children?: ReactNode;
}

/** Starts a request, stops it while it is under way, and saves it. */
export function RunButtons(props: RunButtonsProps) {
  const { server, run, title, isBlocked = false, onRun, onSave, children } = props;
  const { showsRestart = true } = props;
  const backend = useBackend();
  const running = isRunning(run) ? run : undefined;
  const start = () => !running && !isBlocked && !isMenuOpen() && onRun();
  const restart = () => onRun({ isAnew: true });
  const canRestart = run !== undefined && !isBlocked;
  const stop = () => running && stopRun(backend, server, running);
  useAction('call.run', start, { when: running === undefined });
  useAction('call.restart', restart, { when: canRestart });
  useAction('call.cancel', stop, { when: running !== undefined });
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
      {canRestart && showsRestart && (
        <IconButton
          label={RUN.restart}
          shortcut="mod+shift+enter"
          variant="plain"
          onPress={restart}
        >
          <RotateCw size={14} aria-hidden="true" />
        </IconButton>
      )}
      {!running && (
        <IconButton label={RUN.save} variant="plain" isDisabled={isBlocked} onPress={onSave}>
          <BookmarkPlus size={14} aria-hidden="true" />
        </IconButton>
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
