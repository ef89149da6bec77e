import type { AuthView, IdentityView, SignInView } from '@/backend/bindings';
import { isSignInUnderWay } from '@/state/auth';
import { fromNow, type Look, momentWords, STEP_TITLES } from './words';

/** How a person stands with a server, in one line. */
export interface Standing extends Look {
  /** What adds to it: until when, or why. */
  detail: string | null;
}

/** The identity that the next connection uses. */
export function chosenIdentity(view: AuthView): IdentityView | undefined {
  return view.identities.find(({ name }) => name === view.identity);
}

/** How a person stands with a server: a sign-in under way first, then what came of the last. */
export function standingOf(view: AuthView, now: number): Standing {
  const { attempt, mode, standing } = view;
  if (isSignInUnderWay(attempt)) return underWay(attempt);
  if (mode === 'off') return idle('Sign-in is off for this server');
  if (mode === 'bearer') return { ...signedIn('A fixed token is sent'), detail: null };
  if (attempt?.issuer_question) {
    return {
      glyph: '▲',
      tone: 'warn',
      words: attempt.issuer_question.instead_of
        ? 'Another authorization server'
        : 'Authorization server not agreed to',
      detail: 'nothing was sent there',
    };
  }
  const failed = attempt?.state === 'failed' && standing.kind !== 'signed_in' ? attempt : null;
  if (failed?.failure) {
    const words = `Sign-in failed at ${STEP_TITLES[failed.failure.step].toLowerCase()}`;
    return { glyph: '✕', tone: 'bad', words, detail: null };
  }
  switch (standing.kind) {
    case 'signed_out':
      return idle('Not signed in');
    case 'required':
      return {
        glyph: '▲',
        tone: 'warn',
        words: standing.challenge.status === 403 ? 'More rights required' : 'Sign-in required',
        detail: null,
      };
    case 'waiting_for_keychain':
      return waitingForKeychain();
    case 'expired':
      return { glyph: '▲', tone: 'warn', words: 'Signed out', detail: standing.reason };
    case 'signed_in': {
      const grant = chosenIdentity(view)?.grant;
      const who = grant?.account ? `Signed in as ${grant.account}` : 'Signed in';
      return { ...signedIn(who), detail: untilWords(grant?.expires_at ?? null, now) };
    }
  }
}

/** Until when a token is good, as far as that is known. */
export function untilWords(expires: number | null, now: number): string | null {
  if (expires === null) return null;
  const moment = momentWords(expires, now);
  return expires > now
    ? `until ${moment}, ${fromNow(expires, now)}`
    : `expired at ${moment}, ${fromNow(expires, now)}`;
}

function underWay(attempt: SignInView): Standing {
  const busy = { glyph: '◐', tone: 'busy', words: 'Signing in' } as const;
  const at = attempt.steps.find(({ state }) => state === 'paused' || state === 'running');
  switch (attempt.state) {
    case 'paused':
      return {
        glyph: '‖',
        tone: 'warn',
        words: `Paused before ${at ? STEP_TITLES[at.step].toLowerCase() : 'the next step'}`,
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
        words: 'Waiting for your agreement',
        detail: null,
      };
    default:
      return { ...busy, detail: at ? STEP_TITLES[at.step].toLowerCase() : null };
  }
}

function waitingForKeychain(): Standing {
  return {
    glyph: '◐',
    tone: 'busy',
    words: 'Waiting for your keychain',
    detail: 'unlock it in its own window',
  };
}

function idle(words: string): Standing {
  return { glyph: '○', tone: 'idle', words, detail: null };
}

function signedIn(words: string): Look {
  return { glyph: '●', tone: 'ok', words };
}
