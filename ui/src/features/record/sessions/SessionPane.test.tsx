import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Backend, BackendContext } from '@/backend/backend';
import type { SessionReport, SessionView } from '@/backend/bindings';
import { useNavigation } from '@/state/navigation';
import { useSessions } from '@/state/record/sessions';
import SessionPane from './SessionPane';

const session: SessionView = {
  id: 7,
  name: 'their\u202e.ndjson',
  path: '/home/ada/their.ndjson',
  application: 'sightglass 9.8.7',
  version: 2,
  writtenAt: null,
  state: { type: 'loaded' },
  size: 2048,
  read: 2048,
  frames: 3,
  servers: ['theirs'],
  isMasked: true,
  remarks: ['Line 4 was left out: it is longer than 320 MiB.'],
  moreRemarks: 0,
  mockCommand: 'sightglass-cli mock /home/ada/their.ndjson',
};

const report: SessionReport = {
  frames: 3,
  leftOut: 0,
  findings: [
    {
      rule: 'pending',
      title: 'Requests without an answer',
      verdict: 'failed',
      subject: { connection: 1, at: 1, method: 'prompts/list' },
      message: 'No answer to this request was recorded.',
      clause: null,
      exchanges: [3],
      evidence: [],
      duration: null,
    },
    {
      rule: 'incomplete',
      title: 'Missing parts',
      verdict: 'failed',
      subject: { connection: null, at: null, method: '' },
      message: 'The file was cut off.',
      clause: null,
      exchanges: [],
      evidence: [],
      duration: null,
    },
  ],
};

function open(shown: SessionView, backend: Partial<Backend>) {
  useSessions.setState({ sessions: [shown] });
  useNavigation.getState().openSession(shown.id);
  return render(
    <BackendContext.Provider value={backend as Backend}>
      <SessionPane />
    </BackendContext.Provider>,
  );
}

beforeEach(() => useSessions.setState({ sessions: [] }));

it('leads from a finding to its row in the record of the session', async () => {
  const checkSession = vi.fn(async () => report);
  open(session, { checkSession });
  const group = await screen.findByRole('region', { name: 'Requests without an answer' });
  expect(checkSession).toHaveBeenCalledWith(7);
  fireEvent.click(within(group).getByRole('button', { name: 'Show row 3 in the traffic' }));
  expect(useNavigation.getState().trafficTarget).toEqual({ filter: '', exchange: 3, session: 7 });
  const whole = screen.getByRole('region', { name: 'Missing parts' });
  expect(within(whole).queryByRole('button')).toBeNull();
});

it('says what is wrong with the file, with nothing invisible in its name', () => {
  open(session, { checkSession: () => new Promise(() => {}) });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('their\\u{202e}.ndjson');
  expect(screen.getByText('Secrets were masked in this recording.')).toBeTruthy();
  expect(screen.getByText(/longer than 320 MiB/)).toBeTruthy();
});

it('shows how far a file is read, and checks it once it is', () => {
  const checkSession = vi.fn(async () => report);
  open({ ...session, state: { type: 'loading' }, read: 512 }, { checkSession });
  expect(screen.getByRole('progressbar', { name: 'Reading, 25 %' })).toBeTruthy();
  expect(checkSession).not.toHaveBeenCalled();
});

it('shows another place once the session is closed', () => {
  open(session, { checkSession: () => new Promise(() => {}) });
  useSessions.getState().replace([]);
  expect(useNavigation.getState().place).toBe('server');
});
