import type { Backend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { isSignInUnderWay, questionOf, signInRequest, useAuth } from './auth';

/** The servers for which a sign-in that was begun here is awaited. */
const awaited = new Set<ServerId>();

/**
 * Signs in, for what the server asked for last, and does something once that has succeeded. A
 * sign-in that asks something is shown where it can be answered, and leads back; so is one that fails.
 * While one is awaited nothing is begun: a second one would end it.
 */
export function signInAnd(backend: Backend, server: ServerId, then: () => void): void {
  if (awaited.has(server)) return;
  awaited.add(server);
  const { views, pauses } = useAuth.getState();
  const before = views[server]?.attempt?.id;
  let begun: number | undefined;
  const { open, tabs } = useNavigation.getState();
  const showSignIn = () => open({ server, section: 'sign-in' });
  let isShown = false;
  const unsubscribe = useAuth.subscribe((state) => {
    const attempt = state.views[server]?.attempt;
    if (begun === undefined && attempt?.id !== before) begun = attempt?.id;
    if (begun === undefined) return;
    // Another one has taken its place, which was begun for something else.
    if (attempt?.id !== begun) return stop();
    const asks = questionOf(attempt) !== null;
    if ((asks || attempt.state === 'paused') && !isShown) {
      isShown = true;
      showSignIn();
    }
    if (isSignInUnderWay(attempt)) return;
    stop();
    if (attempt.state === 'succeeded') {
      if (isShown) open({ server, tab: tabs[server] ?? 'overview' });
      then();
    } else if (attempt.state === 'failed') showSignIn();
  });
  const stop = () => {
    awaited.delete(server);
    unsubscribe();
  };
  const request = signInRequest({ pauses: [...(pauses[server] ?? [])] });
  backend.signIn(server, request).catch((reason) => {
    stop();
    showError(reason);
  });
}
