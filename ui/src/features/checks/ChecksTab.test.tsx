import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { DoctorReport } from '@/backend/bindings';
import { useChecks } from '@/state/checks/checks';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { demoServer } from '@/test-support/servers';
import { ChecksTab } from './ChecksTab';

stubResizeObserver();

afterEach(() => useChecks.setState({ shown: {}, doctor: {}, conformance: {}, load: {} }));

function open() {
  const server = demoServer();
  const report: DoctorReport = {
    server: server.id,
    state: 'finished',
    checks: [],
    cause: null,
    action: null,
    failure: null,
    otherAddress: null,
    connection: null,
    text: '',
  };
  const runDoctor = vi.fn(async () => report);
  const startConformance = vi.fn(async () => null);
  const backend = stubBackend({ runDoctor, startConformance });
  render(
    <BackendContext.Provider value={backend}>
      <ChecksTab server={server} remedy={() => null} tests={<p>its tests</p>} />
    </BackendContext.Provider>,
  );
  return { server, report, runDoctor, startConformance };
}

it('shows the parts with how each went, and one of them', async () => {
  open();
  const names = screen.getAllByRole('option').map((option) => option.getAttribute('aria-label'));
  expect(names).toEqual([
    'Connection, Not checked yet.',
    'Findings, Seen once it is connected.',
    'Changes, Seen once it is connected.',
    'Conformance, Not checked yet.',
    'Load, Nothing measured yet.',
    'Tests, No tests yet.',
  ]);
  expect(screen.getByRole('region', { name: 'Connection' })).toBeVisible();
  await act(async () => screen.getByRole('option', { name: /^Tests/ }).click());
  expect(screen.getByRole('region', { name: 'Tests' })).toHaveTextContent('its tests');
});

it('checks all in turn, by one button that stops it meanwhile', async () => {
  const { server, report, runDoctor, startConformance } = open();
  const button = screen.getByRole('button', { name: 'Check all' });
  await act(async () => button.click());
  expect(runDoctor).toHaveBeenCalledWith(server.id);
  expect(startConformance).toHaveBeenCalledOnce();
  act(() => useChecks.getState().applyDoctor({ ...report, state: 'running' }));
  expect(button).toHaveAccessibleName('Stop');
});

it('checks nothing more of a server that is not reached', async () => {
  const { report, runDoctor, startConformance } = open();
  const failure = { reason: 'refused' } as DoctorReport['failure'];
  runDoctor.mockResolvedValue({ ...report, failure });
  await act(async () => screen.getByRole('button', { name: 'Check all' }).click());
  expect(startConformance).not.toHaveBeenCalled();
});
