import type { ExchangeRow, FoldedPhase } from '@/backend/bindings';
import { serverName } from '../rows/row-words';

/** Phases in which a connection begins or ends, or in which it is examined. */
const TURNING_POINTS = ['connecting', 'cleaning_up', 'disconnected', 'doctor'];

/** The phases between two rows; nothing for those that every call goes through. */
export function separatorText({ foldedBefore: folded }: ExchangeRow): string | null {
  if (!folded.some(({ method }) => TURNING_POINTS.includes(method))) return null;
  const lines: string[] = [];
  let last: FoldedPhase | undefined;
  for (const phase of folded) {
    const isSame = last && serverName(last) === serverName(phase);
    if (isSame && last?.method === phase.method) continue;
    const name = phase.method.replaceAll('_', ' ');
    if (isSame) lines.push(`${lines.pop()} → ${name}`);
    else lines.push(`${serverName(phase)}: ${name}`);
    last = phase;
  }
  return lines.join('\n');
}
