import type { ConnectionLoss, Failure, FailureReport } from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import { fromNow } from '@/lib/moments';
import { visibleText } from '@/lib/visible-text';
import { LOSS } from './texts';

/**
 * Says that a connection which is up was lost before: `Crashed once, 2 minutes ago, in boom.`, with
 * the name between backticks.
 */
export function lossSentence(loss: ConnectionLoss, now: number): string {
  const { count, at, failure } = loss;
  const target = targetOf(failure.failure);
  return LOSS.remembered(
    LOSS.kind(failure.failure),
    count,
    fromNow(Math.min(at, now), now),
    target === null ? null : visibleText(target),
  );
}

/** The tool, prompt or resource during which a connection was lost. */
function targetOf(failure: Failure): string | null {
  if (failure.type !== 'exited') return null;
  return failure.unanswered.find(({ target }) => target !== null)?.target ?? null;
}

/** The reason why a request has no answer, as a title. */
export function failureTitle({ failure, reason }: FailureReport): string {
  if (failure.type === 'exited') return LOSS.exited(failure.code, failure.signal);
  if (failure.type === 'signInRequired' && failure.status === 403) {
    return LOSS.permission(failure.scopes.map(visibleText));
  }
  const text = visibleText(reason);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Says whether and when the connection came back that was lost with a request. */
export function returnOf(
  loss: ConnectionLoss | null,
  isReturning: boolean,
  sent: { from: number; to: number },
): string | null {
  if (loss === null || loss.at < sent.from || loss.at > sent.to) return null;
  const isProgram = loss.failure.failure.type === 'exited';
  if (loss.back !== null) return LOSS.back(isProgram, formatDuration(loss.back - loss.at));
  return isReturning ? LOSS.returning(isProgram) : null;
}
