import type { CaseReport, RequestVerdict, RequestView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { REQUESTS, VERDICTS } from './texts';

const GLYPHS: Record<RequestVerdict, Omit<StatusLabel, 'label'>> = {
  passed: { glyph: '✓', tone: 'ok' },
  failed: { glyph: '✕', tone: 'bad' },
  error: { glyph: '▲', tone: 'bad' },
  skipped: { glyph: '–', tone: 'idle' },
};

/** Returns the status of a request: that of its last run, else what its file says. */
export function statusOf(
  request: RequestView,
  report: CaseReport | undefined,
  isRunning: boolean,
): StatusLabel {
  if (isRunning) return { glyph: '◐', tone: 'busy', label: REQUESTS.running };
  if (request.problems.length > 0) return { ...GLYPHS.error, label: VERDICTS.error };
  if (report) return { ...GLYPHS[report.verdict], label: VERDICTS[report.verdict] };
  return { glyph: '○', tone: 'idle', label: REQUESTS.notRun };
}
