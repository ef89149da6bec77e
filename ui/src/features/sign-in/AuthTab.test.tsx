import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type {
  AuthSettings,
  AuthSettingsView,
  AuthView,
  ServerView,
  SignInView,
  VaultView,
} from '@/backend/bindings';
import { useNavigation } from '@/state/navigation';
import { useAuth } from '@/state/sign-in/auth';
import { sampleView } from '@/test-support/auth';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { demoServer } from '@/test-support/servers';
import AuthTab from './AuthTab';
import { TO_COME } from './steps';
import { SECRETS, STEP_LABELS } from './texts';

stubResizeObserver();
Element.prototype.scrollIntoView ??= () => {};

const SETTINGS: AuthSettings = {
  mode: null,
  scopes: null,
  callbackPort: null,
  redirectUri: null,
  omitResource: false,
  authorizationParameters: [],
  clientId: null,
  authMethod: null,
  keyId: null,
  clientMetadataUrl: null,
  bearerVariable: null,
  secretHeaders: [],
} as unknown as AuthSettings;

const loaded = {
  settings: SETTINGS,
  configured: SETTINGS,
  kept: [],
  publishedClient: null,
} as unknown as AuthSettingsView;

const server: ServerView = { ...demoServer(), id: 'mcp-json:keyed', name: 'keyed' };

function open(view: AuthView | null, rest: Partial<ServerView> = {}) {
  useAuth.getState().replace(view ? [view] : []);
  render(
    <BackendContext value={stubBackend({ getAuthSettings: async () => loaded })}>
      <AuthTab server={{ ...server, ...rest }} />
    </BackendContext>,
  );
}

beforeEach(() => useAuth.setState({ pages: {}, tokenFor: null }));

describe('a server without a sign-in', () => {
  const obstacle = { reason: 'MCP_HOST is not set', hint: '', evidence: [], actions: [] };

  it('is not called a program while a variable of its address is missing', async () => {
    const user = userEvent.setup();
    open(null, { transport: 'http', obstacle });
    expect(screen.getByText('MCP_HOST is not set')).toBeVisible();
    expect(document.body).not.toHaveTextContent('program on this computer');
    await user.click(screen.getByRole('button', { name: 'Show in Overview' }));
    expect(useNavigation.getState()).toMatchObject({ server: server.id });
  });

  it('is called one where it is one, whatever it lacks', () => {
    open(null, { transport: 'stdio', obstacle });
    expect(document.body).toHaveTextContent('This server is a program on this computer.');
  });
});

describe('a server that offers no OAuth', () => {
  const attempt: SignInView = {
    id: 1,
    identity: 'default',
    purpose: 'signIn',
    started: 0,
    duration: 20,
    state: 'failed',
    steps: TO_COME.map((step) =>
      step.step === 'registration'
        ? { ...step, state: 'failed' as const }
        : step.step === 'serverMetadata'
          ? { ...step, state: 'guessed' as const, summary: 'No metadata at 2 addresses' }
          : step,
    ),
    pauses: [],
    address: null,
    redirectUri: null,
    deadline: null,
    manual: false,
    issuerQuestion: null,
    endpointQuestion: null,
    failure: {
      step: 'registration',
      message: 'This server does not offer OAuth. It seems to want a token.',
      hint: 'Paste a token, or set it in the header `Authorization` of its entry.',
      clause: null,
      wantsToken: true,
    },
  };
  const view = { ...sampleView(server.id, 'https://keyed.example/mcp'), attempt };

  it('takes a token instead, whose field has the focus', async () => {
    const user = userEvent.setup();
    open(view, { transport: 'http' });
    expect(screen.getByText(/^This server does not offer OAuth/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Paste a token' }));
    const field = await screen.findByLabelText('Token');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('type', 'password');
  });

  it('says so before its steps, of which none claims what nobody said', () => {
    useAuth.setState({ pages: { [server.id]: 'steps' } });
    open(view, { transport: 'http' });
    const row = screen.getByRole('row', { name: 'Server metadata' });
    expect(row).toHaveTextContent(/Guessed · No metadata at 2 addresses/);
    expect(STEP_LABELS.guessed.glyph).toBe('○');
    expect(screen.getByRole('alert')).toHaveTextContent('It seems to want a token.');
    expect(screen.getByRole('status')).toHaveTextContent('OAuth is not offered');
    expect(screen.getByRole('button', { name: 'Paste a token' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Enter a client id' })).toBeNull();
  });
});

describe('the place of secrets', () => {
  const vault: VaultView = sampleView(server.id, 'https://keyed.example/mcp').vault;

  it('is no keychain before one was tried', () => {
    expect(SECRETS.placeOf({ ...vault, settled: false })).toMatch(/^Not chosen yet/);
    expect(SECRETS.placeOf(vault)).toBe('Secret Service, the keychain of this computer');
  });
});
