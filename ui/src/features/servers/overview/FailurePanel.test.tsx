import { render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Failure, FailureReport } from '@/backend/bindings';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { stdioServer } from '@/test-support/servers';
import { FailurePanel } from './FailurePanel';

const SERVER = stdioServer({ name: 'docs', scope: 'project', line: 2, command: 'x', args: [] });

function show(failure: Failure) {
  const report: FailureReport = {
    failure,
    reason: 'failed',
    headline: null,
    trace: null,
    hint: { text: 'Edit it.', action: { type: 'editServer' } },
    mayBeElsewhere: false,
  };
  render(
    <BackendContext value={stubBackend()}>
      <FailurePanel server={SERVER} report={report} comesBack={false} />
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
