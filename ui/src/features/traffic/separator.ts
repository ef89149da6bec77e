import type { ExchangeRow, FoldedPhase } from '@/backend/bindings';

/** Phases in which a connection begins or ends, or in which it is examined. */
const TURNING_POINTS = ['connecting', 'cleaning_up', 'disconnected', 'doctor'];

/** The phases between two rows; nothing for those that every call goes through. */
export function separatorText({ folded_before: folded }: ExchangeRow): string | null {
  if (!folded.some(({ method }) => TURNING_POINTS.includes(method))) return null;
  const lines: string[] = [];
  let last: FoldedPhase | undefined;
  for (const phase of folded) {
    if (last?.server === phase.server && last.method === phase.method) continue;
    const name = phase.method.replaceAll('_', ' ');
    if (last?.server === phase.server) lines.push(`${lines.pop()} → ${name}`);
    else lines.push(`${phase.server}: ${name}`);
    last = phase;
  }
  return lines.join('\n');
}
