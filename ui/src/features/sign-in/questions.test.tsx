import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Backend, BackendContext } from '@/backend/backend';
import type { AuthView, ServerView, SignInView } from '@/backend/bindings';
import { GUARD_TIME } from '@/components/use-key-guard';
import { useAuth } from '@/state/sign-in/auth';
import { sampleView } from '@/test-support/auth';
import { demoServer } from '@/test-support/servers';
import AuthTab from './AuthTab';
import { TO_COME } from './steps';

const WORDS =
  'This token was entered for https://api.github.com. This server is https://evil.example. It was not sent.';

const server: ServerView = { ...demoServer(), id: 'mcp-json:github', name: 'github' };

const attempt: SignInView = {
  id: 1,
  identity: 'default',
  purpose: 'signIn',
  started: 0,
  duration: null,
  state: 'waitingForAgreement',
  steps: [...TO_COME],
  pauses: [],
  address: null,
  redirectUri: null,
  deadline: null,
  manual: false,
  issuerQuestion: { issuer: 'https://as.evil', insteadOf: null },
  endpointQuestion: null,
  failure: null,
};

afterEach(() => {
  vi.useRealTimers();
});

/** The tab of a server that stands like this. */
function open(view: Partial<AuthView> | null, shown: Partial<ServerView> = {}) {
  const whole = { ...sampleView(server.id, 'https://evil.example/mcp'), ...view };
  const rebindAuth = vi.fn(async () => whole);
  const agreeToIssuer = vi.fn(async () => whole);
  const agreeToEndpoints = vi.fn(async () => whole);
  useAuth.getState().replace([]);
  if (view) useAuth.getState().set(whole);
  const authSettings = () => new Promise(() => {});
  const backend = {
    rebindAuth,
    agreeToIssuer,
    agreeToEndpoints,
    getAuthSettings: authSettings,
  } as unknown as Backend;
  const tab = (shown: Partial<ServerView>) => (
    <BackendContext.Provider value={backend}>
      <AuthTab server={{ ...server, ...shown }} />
    </BackendContext.Provider>
  );
  const { rerender } = render(tab(shown));
  const showOther = (other: Partial<ServerView>) => rerender(tab(other));
  return { rebindAuth, agreeToIssuer, agreeToEndpoints, showOther };
}

describe('what was entered for another server', () => {
  const enteredFor = { origin: 'https://api.github.com', project: null };
  const withheld = [{ enteredFor, secrets: [{ type: 'bearer' } as const], message: WORDS }];

  it('is sent after a click that names where it goes, and not before', () => {
    const { rebindAuth } = open({ withheld });
    expect(screen.getByText(WORDS, { exact: false })).toBeVisible();
    expect(rebindAuth).not.toHaveBeenCalled();
    screen.getByRole('button', { name: 'Send it to https://evil.example' }).click();
    expect(rebindAuth).toHaveBeenCalledWith(server.id, enteredFor, 'https://evil.example');
  });

  it('takes no key that was meant for what stood there before, nor for another server', () => {
    vi.useFakeTimers();
    const { rebindAuth, showOther } = open({ withheld });
    const press = () => {
      const button = screen.getByRole('button', { name: /^Send it to/ });
      fireEvent.keyDown(button, { key: 'Enter' });
      fireEvent.keyUp(button, { key: 'Enter' });
    };
    press();
    vi.advanceTimersByTime(GUARD_TIME);
    const other = 'mcp-json:other';
    act(() => {
      const view = sampleView(other, 'https://other.example/mcp');
      useAuth.getState().set({ ...view, withheld });
    });
    showOther({ id: other });
    press();
    expect(rebindAuth).not.toHaveBeenCalled();
    vi.advanceTimersByTime(GUARD_TIME);
    press();
    expect(rebindAuth).toHaveBeenCalledWith(other, enteredFor, 'https://other.example');
  });

  it('can be replaced by another', () => {
    const { rebindAuth } = open({ withheld });
    screen.getByRole('button', { name: 'Enter another' }).click();
    expect(useAuth.getState().pages[server.id]).toBe('client');
    expect(rebindAuth).not.toHaveBeenCalled();
  });
});

describe('an authorization server that was not agreed to', () => {
  it('is named, and agreed to by a click', () => {
    const { agreeToIssuer } = open({ attempt });
    expect(screen.getByText('https://as.evil')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Waiting for you');
    screen.getByRole('button', { name: 'Agree and continue' }).click();
    expect(agreeToIssuer).toHaveBeenCalledWith(server.id, 'https://as.evil');
  });

  it('is shown beside the one before where the server has moved', () => {
    const issuerQuestion = { issuer: 'https://as.evil', insteadOf: 'https://as.example' };
    open({ attempt: { ...attempt, state: 'failed', issuerQuestion } });
    expect(screen.getByRole('heading', { name: 'Another authorization server' })).toBeVisible();
    expect(screen.getByText('https://as.example')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Agree and sign in' })).toBeVisible();
  });
});

describe('an issuer that reads otherwise than it leads', () => {
  const asked = (issuer: string) =>
    open({ attempt: { ...attempt, issuerQuestion: { issuer, insteadOf: null } } });

  it('is shown with every blank, and with the origin as the browser reads it', () => {
    asked(`https://as.good${' '.repeat(60)}@elsewhere.example`);
    expect(screen.getByText('https://as.good␣×60@elsewhere.example')).toBeVisible();
    expect(screen.getByText('https://elsewhere.example')).toBeVisible();
  });

  it('is shown in ASCII where its letters look like others', () => {
    asked('https://\u0430s.good/tenant');
    expect(screen.getByText('https://\u0430s.good/tenant')).toBeVisible();
    expect(screen.getByText('https://xn--s-7sb.good')).toBeVisible();
  });

  it('takes no key that was meant for what stood there before', () => {
    const { agreeToIssuer } = asked('https://as.evil');
    const button = screen.getByRole('button', { name: 'Agree and continue' });
    fireEvent.keyDown(button, { key: 'Enter' });
    fireEvent.keyUp(button, { key: 'Enter' });
    expect(agreeToIssuer).not.toHaveBeenCalled();
  });
});

describe('a code that would go to another host', () => {
  const question = {
    issuer: 'https://as.evil',
    authorization: 'https://accounts.good',
    token: 'https://as.evil:8443',
  };
  const asked = { ...attempt, issuerQuestion: null, endpointQuestion: question };

  it('is shown with both hosts, and sent after a click alone', () => {
    const { agreeToEndpoints } = open({ attempt: asked });
    expect(screen.getByText('https://accounts.good')).toBeVisible();
    expect(screen.getByText('https://as.evil:8443')).toBeVisible();
    expect(useAuth.getState().pages[server.id]).toBe('account');
    expect(agreeToEndpoints).not.toHaveBeenCalled();
    screen.getByRole('button', { name: 'Agree and continue' }).click();
    expect(agreeToEndpoints).toHaveBeenCalledWith(server.id, question);
  });
});

describe('a server without a sign-in', () => {
  it('is not called a program while it waits for approval', () => {
    open(null, { transport: 'http', blocked: { type: 'waiting' } });
    expect(screen.getByText('Not approved yet')).toBeVisible();
    expect(screen.queryByText(/is a program on this computer/)).toBeNull();
  });

  it('is a program otherwise', () => {
    open(null, { transport: 'stdio', blocked: null });
    expect(screen.getByText(/is a program on this computer/)).toBeVisible();
  });
});

describe('a server that the managed policy refuses', () => {
  const blocked = { type: 'refused', rule: 'deniedMcpServers' } as const;

  it('can be signed out of, and not signed in to', () => {
    open({ status: { type: 'signedIn' } }, { blocked });
    expect(screen.getByText(/You can still sign out/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Other ways/ })).toBeNull();
  });

  it('has nothing to do where nobody is signed in', () => {
    open({ status: { type: 'signedOut' } }, { blocked });
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
  });
});
