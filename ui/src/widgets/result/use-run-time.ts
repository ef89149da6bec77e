import type { ServerId } from '@/backend/bindings';
import { useElapsed } from '@/components/use-elapsed';
import { useWaiting } from '@/state/calls/questions';
import { questionCallOf, type Run } from '@/state/calls/runs';

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
