import { act, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Finding, Silence, SurfacePlace, SurfaceView } from '@/backend/bindings';
import { useSurfaces } from '@/state/checks/surfaces';
import { useNotices } from '@/state/notices';
import { stubBackend } from '@/test-support/backend';
import { demoServer } from '@/test-support/servers';
import { Findings } from './Findings';

const RULE = 'no-parameter-description';

function finding(name: string): Finding<SurfacePlace> {
  return {
    rule: RULE,
    title: 'Parameters without a description: without one a model has to guess.',
    verdict: 'warning',
    subject: { part: 'tool', name, path: '/inputSchema/properties/day' },
    message: 'The parameter has no description.',
    clause: null,
    exchanges: [],
    evidence: [],
    duration: null,
  };
}

function viewWith(silenced: readonly Silence[]): SurfaceView {
  const isOut = silenced.length > 0;
  return {
    server: demoServer().id,
    isPinned: false,
    stored: null,
    changes: [],
    leftOut: 0,
    breaking: 0,
    attention: 0,
    compatible: 0,
    notes: 0,
    isPossibleRugPull: false,
    findings: isOut ? [] : ['a', 'b', 'c'].map(finding),
    silenced: silenced.map((silence) => ({ silence, count: 3 })),
  };
}

it('names once what all findings of a rule share, and brings back what was ignored', async () => {
  const server = demoServer();
  const silenceFindings = vi.fn(async (_: string, silence: Silence, isSilenced: boolean) =>
    viewWith(isSilenced ? [silence] : []),
  );
  useSurfaces.setState({ views: { [server.id]: viewWith([]) } });
  render(
    <BackendContext.Provider value={stubBackend({ silenceFindings })}>
      <Findings
        server={{ ...server, status: { ...server.status, phase: 'ready' } }}
        judgement={{ state: 'warning', words: '3 findings', count: 3 }}
      />
    </BackendContext.Provider>,
  );
  expect(screen.getAllByText('The parameter has no description.')).toHaveLength(1);
  expect(screen.getAllByText('Warning')).toHaveLength(1);
  expect(screen.getAllByRole('listitem')).toHaveLength(3);

  const ignoreAll = { name: `Ignore all ${RULE}` };
  await act(async () => screen.getByRole('button', ignoreAll).click());
  expect(screen.queryAllByRole('listitem')).toHaveLength(0);
  const notice = useNotices.getState().notices.at(-1);
  expect(notice?.title).toBe(`Ignored 3 findings (${RULE})`);
  expect(notice?.action?.label).toBe('Undo');
  const ignored = screen.getByText('Ignored: 3 findings').closest('details');
  expect(ignored?.open).toBe(false);
  expect(within(ignored as HTMLElement).getByText(RULE)).toBeInTheDocument();

  await act(async () => notice?.action?.run());
  expect(silenceFindings).toHaveBeenLastCalledWith(server.id, { rule: RULE, item: null }, false);
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(screen.queryByText(/^Ignored:/)).toBeNull();
});
