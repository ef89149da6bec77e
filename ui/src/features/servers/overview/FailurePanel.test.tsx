import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Failure, FailureReport } from '@/backend/bindings';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { stdioServer } from '@/test-support/servers';
import { FailurePanel } from './FailurePanel';

const getTriedDraft = vi.fn();
const tryServer = vi.fn();
const getAuthSettings = vi.fn();
const updateAuthSettings = vi.fn();
const updateAuthSecret = vi.fn();
const disconnect = vi.fn(async () => null);
const connect = vi.fn(async () => null);
const AUTH = { getAuthSettings, updateAuthSettings, updateAuthSecret, disconnect, connect };
const SERVER = stdioServer({ name: 'docs', scope: 'project', line: 2, command: 'x', args: [] });

function show(failure: Failure, rest: Partial<FailureReport> = {}, server = SERVER) {
  const report: FailureReport = {
    failure,
    reason: 'failed',
    headline: null,
    trace: null,
    hint: { text: 'Edit it.', action: { type: 'editServer' } },
    mayBeElsewhere: false,
    ...rest,
  };
  render(
    <BackendContext value={stubBackend({ getTriedDraft, tryServer, ...AUTH })}>
      <FailurePanel server={server} report={report} comesBack={false} />
    </BackendContext>,
  );
  return screen.getAllByRole('button').map(({ textContent }) => textContent);
}

function handshakeWith(host: string): Failure {
  const none = { status: null, message: '', body: null, proxy: null };
  return { type: 'network', stage: 'tls', url: `https://${host}/mcp`, ...none };
}

beforeEach(() => {
  const files = [{ scope: 'project', writable: true }];
  useConfiguration.setState(({ view }) => ({
    view: { ...view, clients: [{ client: 'mcp-json', files }] as never },
  }));
});

it('offers first the repair that follows from a failure', () => {
  const fault = { type: 'notOnPath', command: 'uvxx', nearest: 'uvx' } as const;
  const shown = show({ type: 'spawnFailed', commandLine: 'uvxx', message: '', fault });
  expect(shown[0]).toBe('Use uvx…');
});

it('offers plain http for this machine alone, and after what is safe', () => {
  const [first, ...others] = show(handshakeWith('localhost'));
  expect(first).toBe('Edit server');
  expect(others).toContain('Use http://…');
});

it('offers nothing unencrypted because a handshake with another machine broke off', () => {
  expect(show(handshakeWith('api.example'))).not.toContain('Use http://…');
});

it('offers first the token that a server wants which names no way to sign in', () => {
  const url = 'https://api.example/mcp';
  const refusal = { type: 'signInRequired', url, status: 401, body: 'key' } as const;
  const hint = { text: 'Sign in.', action: { type: 'signIn' } } as const;
  const [first, ...others] = show({ ...refusal, scopes: [], challenge: null }, { hint });
  expect(first).toBe('Paste a token');
  expect(others).toContain('Sign in');
  cleanup();
  expect(show({ ...refusal, scopes: [], challenge: 'Bearer' }, { hint })[0]).toBe('Sign in');
});

it('takes the key that a server wants, and keeps it with the secrets', async () => {
  getAuthSettings.mockResolvedValue({ settings: { secretHeaders: ['X-Other'] } });
  const url = 'https://api.example/mcp';
  const refusal = { type: 'signInRequired', url, status: 401 } as const;
  const hint = { text: 'Enter it.', action: { type: 'setHeader', name: 'X-Api-Key' } } as const;
  const shown = show(
    { ...refusal, scopes: [], challenge: null, body: 'Missing X-Api-Key' },
    { hint },
  );
  expect(shown.slice(0, 2)).toEqual(['Set it and connect', 'Paste a token']);
  fireEvent.change(screen.getByLabelText('X-Api-Key'), { target: { value: 'secret' } });
  await act(async () => fireEvent.click(screen.getByText('Set it and connect')));
  expect(updateAuthSettings).toHaveBeenCalledExactlyOnceWith(SERVER.id, {
    secretHeaders: ['X-Other', 'X-Api-Key'],
  });
  const header = { type: 'header', name: 'X-Api-Key' };
  expect(updateAuthSecret).toHaveBeenCalledExactlyOnceWith(SERVER.id, header, 'secret');
  expect(connect).toHaveBeenCalledExactlyOnceWith(SERVER.id);
});

it('offers first to look for the endpoint where the address has none', () => {
  const [first, ...others] = show(handshakeWith('api.example'), { mayBeElsewhere: true });
  expect(first).toBe('Try the common paths');
  expect(others).toEqual(expect.arrayContaining(['Connect again', 'Edit server']));
});

it('sets a variable that is missing also for a server that is in no file', async () => {
  const endpoint = { type: 'stdio', command: 'x', arguments: [], environment: [] };
  getTriedDraft.mockResolvedValue({ name: 'docs', endpoint });
  tryServer.mockResolvedValue('tried:docs');
  const hint = { text: 'Set it.', action: { type: 'setVariable', name: 'KEY' } } as const;
  const tried = { ...SERVER, id: 'tried:docs', origin: 'tried', target: null } as const;
  const failure: Failure = { type: 'configuration', message: 'KEY is missing' };
  expect(show(failure, { hint }, tried)[0]).toBe('Set it and connect');
  fireEvent.change(screen.getByLabelText('KEY'), { target: { value: 'one' } });
  await act(async () => fireEvent.click(screen.getByText('Set it and connect')));
  const environment = [{ name: 'KEY', text: 'one' }];
  expect(tryServer).toHaveBeenCalledExactlyOnceWith({
    name: 'docs',
    endpoint: { ...endpoint, environment },
  });
});
