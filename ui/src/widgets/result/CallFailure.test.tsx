import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { ConnectionLoss, FailureReport, Phase, RequestOutcome } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { useServers } from '@/state/servers/servers';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { SCOPES } from '@/test-support/configuration';
import { demoServer, disconnected, stdioServer } from '@/test-support/servers';
import { CallFailure } from './CallFailure';

const STARTED = 1_800_000_000_000;

const CRASH: FailureReport = {
  failure: {
    type: 'exited',
    commandLine: 'python server.py',
    code: 1,
    signal: null,
    stderr: ['Traceback (most recent call last):', "KeyError: 'DATABASE_URL'"],
    stdout: [],
    unanswered: [{ id: '4', method: 'tools/call', target: 'boom', waited: 1000 }],
  },
  reason: 'exited with code 1',
  headline: "KeyError: 'DATABASE_URL'",
  trace: {
    file: '/srv/orders/server.py',
    line: 41,
    excerpt: [
      '  File "/srv/orders/server.py", line 41, in boom',
      '    url = os.environ["DATABASE_URL"]',
      "KeyError: 'DATABASE_URL'",
    ],
  },
  hint: {
    text: 'Set `DATABASE_URL` in this server’s environment.',
    action: { type: 'setVariable', name: 'DATABASE_URL' },
  },
  mayBeElsewhere: false,
};

const REFUSAL: FailureReport = {
  failure: {
    type: 'signInRequired',
    url: 'https://mcp.linear.app/mcp',
    status: 403,
    challenge: 'Bearer scope="mcp:write"',
    body: null,
    scopes: ['mcp:write'],
  },
  reason: 'permission mcp:write is missing',
  headline: null,
  trace: null,
  hint: { text: 'Sign in again to request it.', action: { type: 'signIn' } },
  mayBeElsewhere: false,
};

function requestOf(failure: FailureReport): RequestOutcome {
  return {
    end: failure === CRASH ? 'connectionLost' : 'refused',
    requestFrame: 7,
    responseFrame: null,
    duration: 1000,
    waited: 0,
    size: 0,
    message: null,
    failure,
  };
}

function open(
  failure: FailureReport,
  loss: ConnectionLoss | null = null,
  view = demoServer(),
  endedAt = STARTED + 1000,
) {
  const server = { ...view, status: { ...disconnected(), loss } };
  useServers.setState({ servers: [server] });
  const again = vi.fn();
  const signIn = vi.fn(async () => null);
  const updateSessionVariable = vi.fn(async () => null);
  const done = async () => null;
  render(
    <BackendContext.Provider
      value={stubBackend({ signIn, updateSessionVariable, disconnect: done, connect: done })}
    >
      <CallFailure
        server={server.id}
        request={requestOf(failure)}
        failure={failure}
        run={{ startedAt: STARTED, endedAt }}
        again={again}
      />
    </BackendContext.Provider>,
  );
  return { again, signIn, updateSessionVariable };
}

it('a crash shows its exit code, the line that names the error, and that the server is back', () => {
  const at = STARTED + 1000;
  const { again } = open(CRASH, {
    count: 1,
    at,
    connection: 3,
    back: at + 1000,
    failure: CRASH,
  });
  const panel = screen.getByRole('region', {
    name: 'The server crashed (exit 1) before it answered',
  });
  expect(panel).toHaveTextContent("KeyError: 'DATABASE_URL'");
  expect(panel).toHaveTextContent('tools/call boom (id 4)');
  expect(within(panel).getByRole('status')).toHaveTextContent(
    'It was started again by itself 1.0 s later.',
  );
  fireEvent.click(within(panel).getByRole('button', { name: 'Run again' }));
  expect(again).toHaveBeenCalledOnce();
});

it('says so too where the call waited long before it was sent', () => {
  const at = STARTED + 60_000;
  const loss = { count: 1, at, connection: 3, back: at + 1000, failure: CRASH };
  open(CRASH, loss, demoServer(), at);
  expect(screen.getByRole('status')).toHaveTextContent('started again by itself 1.0 s later.');
});

it('what a program wrote is shown once where all of it is the cause', () => {
  const stderr = ["KeyError: 'DATABASE_URL'"];
  const failure = { ...CRASH.failure, stderr } as FailureReport['failure'];
  open({ ...CRASH, failure, trace: null });
  expect(screen.getAllByText("KeyError: 'DATABASE_URL'")).toHaveLength(1);
  expect(screen.queryByText('Last of stderr')).toBeNull();
  cleanup();
  open(CRASH);
  expect(screen.getByText('Last of stderr')).toBeVisible();
});

const OURS = stdioServer({
  name: 'orders',
  scope: 'project',
  line: 3,
  command: 'python',
  args: ['server.py'],
});

/** Shows the crash of a server that a file defines. */
function crashOfOurs(writable: boolean) {
  const { configuration } = SCOPES;
  const clients = configuration.clients.map((client) => ({
    ...client,
    files: client.files.map((file) => ({ ...file, writable })),
  }));
  useConfiguration.setState({ view: { ...configuration, clients } });
  return open(CRASH, null, OURS);
}

const fill = () =>
  fireEvent.change(screen.getByLabelText('DATABASE_URL'), { target: { value: 'postgres://x' } });

it('a variable that is missing is set for this session, and the call sent once it is ready', async () => {
  const { again, updateSessionVariable } = crashOfOurs(true);
  const button = screen.getByRole('button', { name: 'Set it and run again' });
  expect(button).toBeDisabled();
  fill();
  await act(async () => fireEvent.click(button));
  expect(updateSessionVariable).toHaveBeenCalledExactlyOnceWith(
    OURS.id,
    'DATABASE_URL',
    'postgres://x',
  );
  const setStatus = (phase: Phase, connection: number) =>
    act(() => useServers.getState().setStatus(OURS.id, { ...disconnected(), phase, connection }));
  setStatus('connecting', 9);
  expect(again).not.toHaveBeenCalled();
  // A second press would send the call twice.
  expect(button).toBeDisabled();
  setStatus('ready', 9);
  setStatus('ready', 9);
  await vi.waitFor(() => expect(again).toHaveBeenCalledOnce());
});

it('it is saved in the entry where that can be edited, after the difference was seen', () => {
  crashOfOurs(true);
  fill();
  fireEvent.click(screen.getByRole('button', { name: 'Save in its entry…' }));
  expect(useDialogs.getState().dialog).toEqual({
    kind: 'repair',
    server: OURS.id,
    repair: { kind: 'variable', name: 'DATABASE_URL', value: 'postgres://x' },
  });
});

it('no button saves a variable where no entry can be edited, none sets it without an entry', () => {
  crashOfOurs(false);
  expect(screen.queryByRole('button', { name: 'Save in its entry…' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Set it and run again' })).toBeVisible();
  cleanup();
  open(CRASH);
  expect(screen.queryByRole('button', { name: 'Set it and run again' })).toBeNull();
});

it('the line of the user’s own code is shown, and copied as editors open it', () => {
  open(CRASH);
  expect(screen.getByText(/os.environ/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy server.py:41' })).toBeVisible();
});

it('a missing permission is named, and asked for before the call is sent again', async () => {
  const { again, signIn } = open(REFUSAL);
  const panel = screen.getByRole('region', { name: 'Permission mcp:write is missing' });
  expect(panel).toHaveTextContent('HTTP 403');
  expect(within(panel).queryByRole('button', { name: 'Run again' })).toBeNull();
  const button = within(panel).getByRole('button', { name: 'Sign in for it and run again' });
  await act(async () => fireEvent.click(button));
  expect(signIn).toHaveBeenCalledOnce();
  expect(again).not.toHaveBeenCalled();
});
