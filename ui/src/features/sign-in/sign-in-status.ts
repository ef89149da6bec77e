import type { AuthView, IdentityView, SignInView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { isSignInUnderWay } from '@/state/sign-in/auth';
import { STATUS, STEP_TITLES } from './account-texts';
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
  if (mode === 'off') return idle(STATUS.off);
  if (mode === 'bearer') return signedIn(STATUS.fixedToken);
  if (attempt?.issuerQuestion) {
    const { insteadOf } = attempt.issuerQuestion;
    return warning(insteadOf ? STATUS.otherIssuer : STATUS.unknownIssuer, STATUS.nothingSent);
  }
  const failed = attempt?.state === 'failed' && status.type !== 'signedIn' ? attempt : null;
  if (failed?.failure?.wantsToken) return warning(STATUS.noOAuth);
  if (failed?.failure) {
    const label = STATUS.failedAt(STEP_TITLES[failed.failure.step]);
    return { glyph: '✕', tone: 'bad', label, detail: null };
  }
  switch (status.type) {
    case 'signedOut':
      return idle(STATUS.notSignedIn);
    case 'required':
      return warning(status.challenge.status === 403 ? STATUS.moreRights : STATUS.required);
    case 'waitingForKeychain':
      return busy(STATUS.forKeychain, STATUS.unlock);
    case 'expired':
      return warning(STATUS.signedOut, status.reason);
    case 'signedIn': {
      const grant = chosenIdentity(view)?.grant;
      const who = grant?.account ? STATUS.signedInAs(grant.account) : STATUS.signedIn;
      return signedIn(who, untilText(grant?.expiresAt ?? null, now));
    }
  }
}

function underWay(attempt: SignInView): SignInStatus {
  const at = attempt.steps.find(({ state }) => state === 'paused' || state === 'running');
  switch (attempt.state) {
    case 'paused':
      return { ...warning(STATUS.pausedBefore(at ? STEP_TITLES[at.step] : null)), glyph: '‖' };
    case 'waitingForBrowser':
      return busy(STATUS.signingIn, STATUS.forBrowser);
    case 'waitingForPaste':
      return busy(STATUS.signingIn, STATUS.forPaste);
    case 'waitingForKeychain':
      return busy(STATUS.forKeychain, STATUS.unlock);
    case 'waitingForAgreement':
      return warning(STATUS.forAgreement);
    default:
      return busy(STATUS.signingIn, at ? STEP_TITLES[at.step].toLowerCase() : null);
  }
}

function idle(label: string): SignInStatus {
  return { glyph: '○', tone: 'idle', label, detail: null };
}

function busy(label: string, detail: string | null): SignInStatus {
  return { glyph: '◐', tone: 'busy', label, detail };
}

function warning(label: string, detail: string | null = null): SignInStatus {
  return { glyph: '▲', tone: 'warn', label, detail };
}

function signedIn(label: string, detail: string | null = null): SignInStatus {
  return { glyph: '●', tone: 'ok', label, detail };
}
