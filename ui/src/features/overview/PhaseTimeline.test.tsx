import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { failed, TIMED_OUT } from '@/backend/fake/servers';
import { PhaseTimeline } from './PhaseTimeline';

describe('the timeline of an attempt that failed', () => {
  it('marks the phase in which it failed, and not the cleaning up after it', () => {
    render(<PhaseTimeline status={failed('initializing', TIMED_OUT)} />);
    const phases = screen.getAllByRole('listitem').map((phase) => phase.textContent);
    expect(phases.filter((phase) => phase?.includes('✕'))).toEqual([
      expect.stringContaining('Initializing'),
    ]);
    expect(phases.find((phase) => phase?.includes('✕'))).toContain('Failed');
    expect(phases.find((phase) => phase?.includes('Cleaning up'))).not.toContain('Failed');
  });
});
