import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { RequestsView, RequestView } from '@/backend/bindings';
import type { Passed } from '@/state/dialogs';
import { useServers } from '@/state/servers/servers';
import { useRequestFiles } from '@/state/tests/request-files';
import { stubBackend } from '@/test-support/backend';
import { demoServer } from '@/test-support/servers';
import { SaveTestDialog } from './SaveTestDialog';

const server = demoServer();

function existing(path: string, subject: string): RequestView {
  const { name } = server;
  const rest = { tags: [], skip: null, problems: [] };
  return { path, name: path, server: name, method: 'tools/call', subject, ...rest };
}

function open(requests: RequestView[], passedBy?: Passed) {
  const view: RequestsView = {
    directory: '/srv/acme-web/.sightglass/requests',
    isOpened: false,
    requests,
    environments: [],
    problem: null,
  };
  useServers.setState({ servers: [server] });
  useRequestFiles.setState({ view });
  const createRequest = vi.fn(async () => 'add.toml');
  const request = existing('add.toml', 'add');
  const expectations = [{ label: 'is_error equals false', line: 6 }];
  const createExpectation = vi.fn(async () => ({ request, expectations }) as never);
  const backend = stubBackend({ createRequest, createExpectation, getRequests: async () => view });
  render(
    <BackendContext.Provider value={backend}>
      <SaveTestDialog
        server={server.id}
        method="tools/call"
        params="{}"
        name="add"
        expected={expected}
        passedBy={passedBy}
      />
    </BackendContext.Provider>,
  );
  return { createRequest, createExpectation };
}

const expected = { value: '$.sum', is: 'equals', not: false, to: '3' };

afterEach(() => useRequestFiles.setState({ view: null, reports: {} }));

const verdicts = () =>
  Object.entries(useRequestFiles.getState().reports).map(([path, { verdict }]) => [path, verdict]);

it('makes a test with what was pointed at, by Enter in its name', async () => {
  const { createRequest, createExpectation } = open([existing('sums.toml', 'add')]);
  expect(screen.getByRole('button', { name: /A new test.*Add to/ })).toBeVisible();
  const meaning = 'Expects that $.sum equals 3, and an answer without an error.';
  expect(screen.getByRole('dialog')).toHaveTextContent(meaning);
  const name = screen.getByRole('textbox', { name: 'Name' });
  await act(async () => fireEvent.submit(name));
  expect(createRequest).toHaveBeenCalledOnce();
  expect(createExpectation).toHaveBeenCalledWith('add.toml', expected);
});

it('adds what is pointed at next to the test that was made of the same call', async () => {
  const { createRequest, createExpectation } = open([
    existing('other.toml', 'echo'),
    existing('add.toml', 'add'),
  ]);
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
  await act(async () => screen.getByRole('button', { name: 'Save test' }).click());
  expect(createRequest).not.toHaveBeenCalled();
  expect(createExpectation).toHaveBeenCalledWith('add.toml', expected);
});

it('shows a new test as passed that was made of an answer which passes it', async () => {
  open([], { requestFrame: 7, responseFrame: 8, duration: 12 });
  await act(async () => fireEvent.submit(screen.getByRole('textbox', { name: 'Name' })));
  expect(verdicts()).toEqual([['add.toml', 'passed']]);
  // Its answer is that of the call.
  expect(useRequestFiles.getState().reports['add.toml']?.responseFrame).toBe(8);
});

it('leaves a test open that an answer does not pass as a whole', async () => {
  open([]);
  await act(async () => fireEvent.submit(screen.getByRole('textbox', { name: 'Name' })));
  expect(verdicts()).toEqual([]);
});
