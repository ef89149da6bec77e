import type { AuthView, IdentityView, SignInView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { isSignInUnderWay } from '@/state/sign-in/auth';
import { untilText } from './moments';
import { STATUS, STEP_TITLES } from './texts';

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
  if (mode === 'bearer') return { ...signedIn(STATUS.fixedToken), detail: null };
  if (attempt?.issuerQuestion) {
    return {
      glyph: '▲',
      tone: 'warn',
      label: attempt.issuerQuestion.insteadOf ? STATUS.otherIssuer : STATUS.unknownIssuer,
      detail: STATUS.nothingSent,
    };
  }
  const failed = attempt?.state === 'failed' && status.type !== 'signedIn' ? attempt : null;
  if (failed?.failure?.wantsToken) {
    return { glyph: '▲', tone: 'warn', label: STATUS.noOAuth, detail: null };
  }
  if (failed?.failure) {
    const label = STATUS.failedAt(STEP_TITLES[failed.failure.step]);
    return { glyph: '✕', tone: 'bad', label, detail: null };
  }
  switch (status.type) {
    case 'signedOut':
      return idle(STATUS.notSignedIn);
    case 'required':
      return {
        glyph: '▲',
        tone: 'warn',
        label: status.challenge.status === 403 ? STATUS.moreRights : STATUS.required,
        detail: null,
      };
    case 'waitingForKeychain':
      return waitingForKeychain();
    case 'expired':
      return { glyph: '▲', tone: 'warn', label: STATUS.signedOut, detail: status.reason };
    case 'signedIn': {
      const grant = chosenIdentity(view)?.grant;
      const who = grant?.account ? STATUS.signedInAs(grant.account) : STATUS.signedIn;
      return { ...signedIn(who), detail: untilText(grant?.expiresAt ?? null, now) };
    }
  }
}

function underWay(attempt: SignInView): SignInStatus {
  const busy = { glyph: '◐', tone: 'busy', label: STATUS.signingIn } as const;
  const at = attempt.steps.find(({ state }) => state === 'paused' || state === 'running');
  switch (attempt.state) {
    case 'paused':
      return {
        glyph: '‖',
        tone: 'warn',
        label: STATUS.pausedBefore(at ? STEP_TITLES[at.step] : null),
        detail: null,
      };
    case 'waitingForBrowser':
      return { ...busy, detail: STATUS.forBrowser };
    case 'waitingForPaste':
      return { ...busy, detail: STATUS.forPaste };
    case 'waitingForKeychain':
      return waitingForKeychain();
    case 'waitingForAgreement':
      return {
        glyph: '▲',
        tone: 'warn',
        label: STATUS.forAgreement,
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
    label: STATUS.forKeychain,
    detail: STATUS.unlock,
  };
}

function idle(label: string): SignInStatus {
  return { glyph: '○', tone: 'idle', label, detail: null };
}

function signedIn(label: string): StatusLabel {
  return { glyph: '●', tone: 'ok', label };
}
