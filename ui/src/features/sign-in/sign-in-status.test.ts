import { describe, expect, it } from 'vitest';
import type { AuthView, SignInState, SignInView } from '@/backend/bindings';
import { sampleGrant, sampleView } from '@/test-support/auth';
import { signInStatus } from './sign-in-status';
import { TO_COME } from './steps';

const NOW = Date.now();

function signIn(state: SignInState, rest: Partial<SignInView> = {}): SignInView {
  return {
    id: 1,
    identity: 'default',
    purpose: 'signIn',
    started: 0,
    duration: null,
    state,
    steps: TO_COME.map((step) =>
      step.step === 'registration' ? { ...step, state: 'paused' } : step,
    ),
    pauses: [],
    address: null,
    redirectUri: null,
    deadline: null,
    manual: false,
    issuerQuestion: null,
    endpointQuestion: null,
    failure: null,
    ...rest,
  };
}

function textOf(view: Partial<AuthView>): string {
  const status = signInStatus({ ...sampleView('server', 'https://a.example/mcp'), ...view }, NOW);
  return [status.label, status.detail].filter(Boolean).join(', ');
}

const signedIn: Partial<AuthView> = {
  status: { type: 'signedIn' },
  identities: [{ name: 'default', grant: sampleGrant('ada@a.example', 60), problem: null }],
};
const failed = signIn('failed', {
  failure: { step: 'token', message: 'invalid_grant', hint: '', clause: null, wantsToken: false },
});

describe('the status of a sign-in', () => {
  it('is what the sign-in does while one runs', () => {
    const on = (state: SignInState) => textOf({ ...signedIn, attempt: signIn(state) });
    expect(on('waitingForBrowser')).toBe('Signing in, waiting for your browser');
    expect(on('waitingForAgreement')).toBe('Waiting for your agreement');
    expect(on('waitingForKeychain')).toMatch(/^Waiting for your keychain/);
    expect(on('paused')).toBe('Paused before registration');
  });

  it('says who and until when', () => {
    expect(textOf(signedIn)).toMatch(/^Signed in as ada@a\.example, until .+, in \d+ minutes$/);
  });

  it('says where the last sign-in failed, unless the user is signed in all the same', () => {
    expect(textOf({ attempt: failed })).toBe('Sign-in failed at token');
    expect(textOf({ ...signedIn, attempt: failed })).toMatch(/^Signed in as/);
  });

  it('says why a grant no longer serves', () => {
    expect(textOf({ status: { type: 'expired', reason: 'The server revoked it.' } })).toBe(
      'Signed out, The server revoked it.',
    );
  });

  it('says when there is nothing to sign in to', () => {
    expect(textOf({ mode: 'off' })).toBe('Sign-in is off for this server');
    expect(textOf({ mode: 'bearer' })).toBe('A fixed token is sent');
  });
});
