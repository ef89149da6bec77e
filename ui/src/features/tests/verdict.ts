import type { CaseReport, RequestView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { VERDICTS } from '@/widgets/findings/texts';
import { REQUESTS } from './texts';

/** Returns the status of a request: that of its last run, else what its file says. */
export function statusOf(
  request: RequestView,
  report: CaseReport | undefined,
  isRunning: boolean,
): StatusLabel {
  if (isRunning) return { glyph: '◐', tone: 'busy', label: REQUESTS.running };
  const verdict = request.problems.length > 0 ? 'error' : report?.verdict;
  if (!verdict) return { glyph: '○', tone: 'idle', label: REQUESTS.notRun };
  const status = VERDICTS[verdict];
  return { ...status, label: status.label.toLowerCase() };
}
