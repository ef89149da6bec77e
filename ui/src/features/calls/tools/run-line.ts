import { formatDuration, formatSecond } from '@/lib/format';
import type { Run } from '@/state/calls/runs';
import { OUTCOMES } from './texts';

/** The time of day at which a run began, to the second, and the day where that is not today. */
export function timeOf({ startedAt }: Run): string {
  return formatSecond(startedAt);
}

/** A run in one line: `14:02:11 ✓ ok 2.0 ms`. */
export function runLine(run: Run): string {
  const [glyph, word] = OUTCOMES[outcomeOf(run)];
  const took =
    run.report &&
    formatDuration(Math.max(0, run.report.request.duration - run.report.request.waited));
  return [timeOf(run), glyph, word, took].filter(Boolean).join(' ');
}

function outcomeOf({ report, failure }: Run): keyof typeof OUTCOMES {
  if (failure) return 'notSent';
  if (!report) return 'running';
  return report.result?.isError ? 'toolError' : report.request.end;
}
