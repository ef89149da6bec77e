import type { ObstacleView, ServerView } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { phaseLabel, RECONNECTING, wantsSignIn } from './phases';
import { isHeldBack, isUsable } from './servers';

/** Tells whether no connection is there and none is being made. */
export function isAtRest({ status }: ServerView): boolean {
  const { phase, reconnection } = status;
  return (phase === 'disconnected' || phase === 'failed') && reconnection === null;
}

/** Reason why a server cannot be connected now; null where none is known. */
export function obstacleOf(server: ServerView): ObstacleView | null {
  return isAtRest(server) ? server.obstacle : null;
}

/** The state of a server in words, the same wherever it is shown. */
export function conditionText(server: ServerView): string {
  const { phase, failure, reconnection } = server.status;
  const obstacle = obstacleOf(server);
  if (obstacle) return visibleText(obstacle.reason);
  const label = reconnection ? RECONNECTING : phaseLabel(phase);
  return failure ? `${label}: ${visibleText(failure.reason)}` : label;
}

/** The state of a server in a word or two, where a row has no room for more. */
export function conditionWord(server: ServerView): string {
  const { phase, failure, reconnection } = server.status;
  const obstacle = obstacleOf(server);
  if (obstacle) return visibleText(obstacle.reason);
  if (wantsSignIn(failure)) return 'Not signed in';
  if (reconnection) return RECONNECTING;
  if (server.disabled && phase === 'disconnected') return 'Disabled';
  return phaseLabel(phase);
}

/** The tone of that word; `idle` where nothing keeps the server from being connected. */
export function conditionTone(server: ServerView): 'bad' | 'warn' | 'idle' {
  const { status, blocked } = server;
  if (obstacleOf(server)) return !isUsable(server) || blocked?.type === 'refused' ? 'bad' : 'warn';
  if (status.phase !== 'failed' || status.reconnection !== null) return 'idle';
  return wantsSignIn(status.failure) ? 'warn' : 'bad';
}

/** Tells whether a variable is missing that the user can set here. */
function isUnset(server: ServerView): boolean {
  return obstacleOf(server)?.actions.some(({ type: kind }) => kind === 'setVariable') ?? false;
}

/** Tells whether it is left to the user alone that a server is connected. */
export function canBeStarted(server: ServerView): boolean {
  return isUsable(server) && !isHeldBack(server) && !isUnset(server);
}
