import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { demoServer, disconnected, failed, phaseRecord, TIMED_OUT } from '@/test-support/servers';
import { PhaseTimeline } from './PhaseTimeline';

const phases = () => screen.getAllByRole('listitem').map((phase) => phase.textContent);

describe('the timeline of an attempt that failed', () => {
  it('marks the phase in which it failed, and not the cleaning up after it', () => {
    const status = failed('initializing', TIMED_OUT);
    render(<PhaseTimeline server={{ ...demoServer(), status }} />);
    expect(phases().filter((phase) => phase?.includes('✕'))).toEqual([
      expect.stringContaining('Initializing'),
    ]);
    expect(phases().find((phase) => phase?.includes('✕'))).toContain('Failed');
    expect(phases().find((phase) => phase?.includes('Cleaning up'))).not.toContain('Failed');
  });

  it('marks none when the connection was up before', () => {
    const status = failed('ready', TIMED_OUT);
    render(<PhaseTimeline server={{ ...demoServer(), status }} />);
    expect(phases().some((phase) => phase?.includes('✕'))).toBe(false);
  });
});

describe('the timeline of a session that was renewed', () => {
  it('shows both ways to ready, each by itself', () => {
    const timeline = [
      phaseRecord('connecting', 0, 10, null),
      phaseRecord('initializing', 10, 20, null, 'initialize'),
      phaseRecord('ready', 30, 60_000, null),
      phaseRecord('connecting', 60_030, 5, 'the server no longer knows the session'),
      phaseRecord('initializing', 60_035, 20, null, 'initialize'),
      phaseRecord('ready', 60_055, null, null),
    ];
    const status = { ...disconnected(), phase: 'ready' as const, timeline };
    render(<PhaseTimeline server={{ ...demoServer(), status }} />);
    const titles = screen.getAllByRole('heading').map((heading) => heading.textContent);
    expect(titles).toEqual(['Phases of the previous session', 'Phases']);
    expect(phases()).toHaveLength(4);
    expect(screen.getByText(/no longer knows the session/)).toBeTruthy();
  });
});

describe('a phase under way', () => {
  it('names its limit and who set it', () => {
    const limits = [
      {
        phase: 'initializing' as const,
        limit: 120_000,
        setBy: { type: 'packageRunner' as const, program: 'npx' },
      },
    ];
    const timeline = [phaseRecord('initializing', Date.now(), null, 'probing')];
    const status = { ...disconnected(), phase: 'initializing' as const, timeline };
    render(<PhaseTimeline server={{ ...demoServer(), status, limits }} />);
    expect(screen.getByText(/at most 2 m 00 s \(default for npx/)).toBeTruthy();
  });
});
