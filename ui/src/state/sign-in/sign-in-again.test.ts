import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '@/backend/backend';
import type { SignInState } from '@/backend/bindings';
import { useNavigation } from '@/state/navigation';
import { sampleView } from '@/test-support/auth';
import { useAuth } from './auth';
import { signInAnd } from './sign-in-again';

const SERVER = 'mcp-json:linear';

/** The state of the sign-in that the button began. */
function reach(id: number, state: SignInState) {
  const view = sampleView(SERVER, 'https://mcp.linear.app/mcp');
  const attempt = { id, state, issuerQuestion: null, endpointQuestion: null };
  // Only these members are looked at.
  useAuth.getState().set({ ...view, attempt: attempt as unknown as typeof view.attempt });
}

describe('signing in for a call', () => {
  const signIn = vi.fn(() => Promise.resolve(null));
  const backend = { signIn } as unknown as Backend;

  beforeEach(() => {
    signIn.mockClear();
    useAuth.setState({ views: {}, pages: {}, pauses: {} });
    useNavigation.setState({ tabs: {} });
  });

  it('runs it again once, after it succeeded', () => {
    reach(1, 'succeeded');
    const run = vi.fn();
    signInAnd(backend, SERVER, run);
    expect(signIn).toHaveBeenCalledOnce();
    reach(1, 'succeeded');
    reach(2, 'waitingForBrowser');
    expect(run).not.toHaveBeenCalled();
    reach(2, 'succeeded');
    reach(2, 'succeeded');
    expect(run).toHaveBeenCalledOnce();
  });

  it('runs nothing and shows the sign-in where it failed', () => {
    const run = vi.fn();
    signInAnd(backend, SERVER, run);
    reach(1, 'failed');
    reach(2, 'succeeded');
    expect(run).not.toHaveBeenCalled();
    expect(useNavigation.getState().sections[SERVER]).toBe('sign-in');
  });

  it('begins once where it is pressed again before it is seen, and runs once', () => {
    const run = vi.fn();
    signInAnd(backend, SERVER, run);
    signInAnd(backend, SERVER, run);
    expect(signIn).toHaveBeenCalledOnce();
    reach(1, 'waitingForBrowser');
    reach(1, 'succeeded');
    reach(2, 'succeeded');
    expect(run).toHaveBeenCalledOnce();
    signInAnd(backend, SERVER, run);
    expect(signIn).toHaveBeenCalledTimes(2);
    reach(3, 'cancelled');
  });

  it('runs nothing after a sign-in that took its place', () => {
    const run = vi.fn();
    signInAnd(backend, SERVER, run);
    reach(1, 'waitingForBrowser');
    reach(2, 'waitingForBrowser');
    reach(2, 'succeeded');
    expect(run).not.toHaveBeenCalled();
  });

  it('runs nothing where it was cancelled', () => {
    const run = vi.fn();
    signInAnd(backend, SERVER, run);
    reach(1, 'cancelled');
    reach(2, 'succeeded');
    expect(run).not.toHaveBeenCalled();
  });
});
