import type { AuthView, IdentityView, SignInView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { isSignInUnderWay } from '@/state/auth';
import { STEP_TITLES } from './labels';
import { untilText } from './moments';

/** The status of the sign-in to a server, in one line. */
interface SignInStatus extends StatusLabel {
  /** The time until which it holds, or its reason. */
  detail: string | null;
}

/** The identity that the next connection uses. */
export function chosenIdentity(view: AuthView): IdentityView | undefined {
  return view.identities.find(({ name }) => name === view.identity);
}

/** Returns the status of the sign-in: one under way first, then the outcome of the last. */
export function signInStatus(view: AuthView, now: number): SignInStatus {
  const { attempt, mode, status } = view;
  if (isSignInUnderWay(attempt)) return underWay(attempt);
  if (mode === 'off') return idle('Sign-in is off for this server');
  if (mode === 'bearer') return { ...signedIn('A fixed token is sent'), detail: null };
  if (attempt?.issuer_question) {
    return {
      glyph: '▲',
      tone: 'warn',
      label: attempt.issuer_question.instead_of
        ? 'Another authorization server'
        : 'Authorization server not agreed to',
      detail: 'nothing was sent there',
    };
  }
  const failed = attempt?.state === 'failed' && status.kind !== 'signed_in' ? attempt : null;
  if (failed?.failure) {
    const label = `Sign-in failed at ${STEP_TITLES[failed.failure.step].toLowerCase()}`;
    return { glyph: '✕', tone: 'bad', label, detail: null };
  }
  switch (status.kind) {
    case 'signed_out':
      return idle('Not signed in');
    case 'required':
      return {
        glyph: '▲',
        tone: 'warn',
        label: status.challenge.status === 403 ? 'More rights required' : 'Sign-in required',
        detail: null,
      };
    case 'waiting_for_keychain':
      return waitingForKeychain();
    case 'expired':
      return { glyph: '▲', tone: 'warn', label: 'Signed out', detail: status.reason };
    case 'signed_in': {
      const grant = chosenIdentity(view)?.grant;
      const who = grant?.account ? `Signed in as ${grant.account}` : 'Signed in';
      return { ...signedIn(who), detail: untilText(grant?.expires_at ?? null, now) };
    }
  }
}

function underWay(attempt: SignInView): SignInStatus {
  const busy = { glyph: '◐', tone: 'busy', label: 'Signing in' } as const;
  const at = attempt.steps.find(({ state }) => state === 'paused' || state === 'running');
  switch (attempt.state) {
    case 'paused':
      return {
        glyph: '‖',
        tone: 'warn',
        label: `Paused before ${at ? STEP_TITLES[at.step].toLowerCase() : 'the next step'}`,
        detail: null,
      };
    case 'waiting_for_browser':
      return { ...busy, detail: 'waiting for your browser' };
    case 'waiting_for_paste':
      return { ...busy, detail: 'waiting for the address that you paste' };
    case 'waiting_for_keychain':
      return waitingForKeychain();
    case 'waiting_for_agreement':
      return {
        glyph: '▲',
        tone: 'warn',
        label: 'Waiting for your agreement',
        detail: null,
      };
    default:
      return { ...busy, detail: at ? STEP_TITLES[at.step].toLowerCase() : null };
  }
}

function waitingForKeychain(): SignInStatus {
  return {
    glyph: '◐',
    tone: 'busy',
    label: 'Waiting for your keychain',
    detail: 'unlock it in its own window',
  };
}

function idle(label: string): SignInStatus {
  return { glyph: '○', tone: 'idle', label, detail: null };
}

function signedIn(label: string): StatusLabel {
  return { glyph: '●', tone: 'ok', label };
}
