import { useBackend } from '@/backend/backend';
import { useAction } from '@/state/actions';
import { showsSection, useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { useServer } from '@/state/servers/servers';
import {
  type AuthPage,
  isSignInUnderWay,
  STEPS,
  signInRequest,
  useAuth,
  useAuthView,
} from '@/state/sign-in/auth';

/** Offers what can be done about signing in to the selected server. */
export function useAuthActions(): void {
  const backend = useBackend();
  const server = useServer(useNavigation((state) => state.server));
  const id = server?.id ?? '';
  const view = useAuthView(id);
  const attempt = view?.attempt ?? null;
  const isRunning = isSignInUnderWay(attempt);
  const isPaused = attempt?.state === 'paused';
  const isAllowed = server?.blocked?.type !== 'refused';
  const canSignIn =
    view !== undefined && isAllowed && !isRunning && !['off', 'bearer'].includes(view.mode);
  const isIn = view?.status.type === 'signedIn';

  const show = (page: AuthPage) => {
    useNavigation.getState().open({ server: id, section: 'sign-in' });
    useAuth.getState().selectPage(id, page);
  };
  const pauses = () => [...(useAuth.getState().pauses[id] ?? [])];
  const goOn = (next: typeof STEPS) =>
    void backend.continueSignIn(id, null, [...next]).catch(showError);

  useAction(
    'auth.sign-in',
    () => {
      if (!showsSection(id, 'sign-in')) show('account');
      backend.signIn(id, signInRequest({ pauses: pauses() })).catch(showError);
    },
    { when: canSignIn },
  );
  useAction(
    'auth.steps',
    () => {
      show('steps');
      useAuth.getState().setPauses(id, STEPS);
      backend.signIn(id, signInRequest({ pauses: [...STEPS] })).catch(showError);
    },
    { when: canSignIn },
  );
  useAction(
    'auth.manual',
    () => {
      show('account');
      backend.signIn(id, signInRequest({ manual: true, pauses: pauses() })).catch(showError);
    },
    { when: canSignIn },
  );
  useAction(
    'auth.sign-out',
    () => void backend.signOut(id, null).then(({ message }) => showNote(message), showError),
    { when: isIn && !isRunning },
  );
  useAction('auth.continue', () => goOn(pauses()), { when: isPaused });
  useAction('auth.run', () => goOn([]), { when: isPaused });
  useAction('auth.cancel', () => void backend.cancelSignIn(id).catch(showError), {
    when: isRunning,
  });
}
