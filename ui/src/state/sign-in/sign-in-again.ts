import type { Backend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { isSignInUnderWay, questionOf, signInRequest, useAuth } from './auth';

/**
 * Signs in, for what the server asked for last, and does something once that has succeeded. A
 * sign-in that asks something or fails is shown where it can be answered.
 */
export function signInAnd(backend: Backend, server: ServerId, then: () => void): void {
  const { views, pauses } = useAuth.getState();
  const before = views[server]?.attempt?.id;
  const showSignIn = () => useNavigation.getState().open({ server, section: 'sign-in' });
  let isShown = false;
  const stop = useAuth.subscribe((state) => {
    const attempt = state.views[server]?.attempt;
    if (!attempt || attempt.id === before) return;
    const asks = questionOf(attempt) !== null;
    if ((asks || attempt.state === 'paused') && !isShown) {
      isShown = true;
      showSignIn();
    }
    if (isSignInUnderWay(attempt)) return;
    stop();
    if (attempt.state === 'succeeded') then();
    else if (attempt.state === 'failed') showSignIn();
  });
  const request = signInRequest({ pauses: [...(pauses[server] ?? [])] });
  backend.signIn(server, request).catch((reason) => {
    stop();
    showError(reason);
  });
}
