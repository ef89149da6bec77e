import { describe, expect, it } from 'vitest';
import type { SignInView, StepKind, StepState } from '@/backend/bindings';
import { momentOf, stepToShow, TO_COME } from './steps';

function signIn(states: Partial<Record<StepKind, StepState>>, id = 1): SignInView {
  return {
    id,
    identity: 'default',
    purpose: 'signIn',
    started: 0,
    duration: null,
    state: 'running',
    steps: TO_COME.map((step) => ({ ...step, state: states[step.step] ?? 'pending' })),
    pauses: [],
    address: null,
    redirectUri: null,
    deadline: null,
    manual: false,
    issuerQuestion: null,
    endpointQuestion: null,
    failure: null,
  };
}

describe('the step that is shown', () => {
  it('is the first before there was any sign-in', () => {
    expect(stepToShow(null, undefined)).toBe('challenge');
  });

  it('follows the one that runs, and stays at the last when all are done', () => {
    const running = signIn({ challenge: 'done', resourceMetadata: 'running' });
    expect(stepToShow(running, undefined)).toBe('resourceMetadata');
    const over = signIn({ challenge: 'done', resourceMetadata: 'skipped', token: 'done' });
    expect(stepToShow(over, undefined)).toBe('token');
  });

  it('is the chosen one for as long as the sign-in goes on by itself', () => {
    const before = signIn({ challenge: 'done', resourceMetadata: 'running' });
    const chosen = { moment: momentOf(before), step: 'challenge' as const };
    expect(stepToShow(before, chosen)).toBe('challenge');
    const later = signIn({ challenge: 'done', resourceMetadata: 'done', token: 'running' });
    expect(stepToShow(later, chosen)).toBe('challenge');
  });

  it.each(['failed', 'paused'] as const)('is the one that %s, whatever was chosen', (state) => {
    const before = signIn({ challenge: 'running' });
    const chosen = { moment: momentOf(before), step: 'challenge' as const };
    expect(stepToShow(signIn({ challenge: 'done', token: state }), chosen)).toBe('token');
  });

  it('is chosen anew in another sign-in', () => {
    const before = signIn({ challenge: 'done', token: 'running' });
    const chosen = { moment: momentOf(before), step: 'challenge' as const };
    expect(stepToShow(signIn({ token: 'running' }, 2), chosen)).toBe('token');
  });
});
