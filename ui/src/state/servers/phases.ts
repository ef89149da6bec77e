import type { FailureReport, Phase, ServerView } from '@/backend/bindings';

const LABELS: Record<Phase, string> = {
  disconnected: 'Disconnected',
  connecting: 'Connecting',
  initializing: 'Initializing',
  handshaking: 'Handshaking',
  listingResources: 'Listing resources',
  listingTools: 'Listing tools',
  listingPrompts: 'Listing prompts',
  ready: 'Ready',
  executing: 'Executing',
  cleaningUp: 'Cleaning up',
  failed: 'Failed',
};

/** Text that stands for whatever phase a server is in that comes back by itself. */
export const RECONNECTING = 'Reconnecting';

/** Returns the text that stands for a phase everywhere in the window. */
export function phaseLabel(phase: Phase): string {
  return LABELS[phase];
}

/** Tells whether a connection can be used. */
export function isLive(phase: Phase): boolean {
  return phase === 'ready' || phase === 'executing';
}

/** Tells whether a server was not reached for want of a sign-in. One that wants a key has none. */
export function wantsSignIn(failure: FailureReport | null | undefined): boolean {
  return failure?.failure.type === 'signInRequired' && failure.hint.action.type !== 'setHeader';
}

/** Tells whether a server is connected, or is being connected again after a loss. */
export function hasConnection({ status }: ServerView): boolean {
  return isLive(status.phase) || status.reconnection !== null;
}

/** Tells whether a connection is being made or closed. */
export function isUnderWay(phase: Phase): boolean {
  return !['disconnected', 'ready', 'executing', 'failed'].includes(phase);
}
