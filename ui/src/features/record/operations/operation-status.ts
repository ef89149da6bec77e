import type { Operation } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { statusOf } from '../rows/status';
import { STATUS } from '../texts';

/** The status of the whole of an operation; nothing for what has no answer to wait for. */
export function operationStatus(operation: Operation): StatusLabel | null {
  const { root, outcome, task, waitsForPerson: waits } = operation;
  if (outcome === 'pending' && (waits || task === 'input_required')) {
    return { glyph: '▲', label: STATUS.waiting, tone: 'warn' };
  }
  // The code is that of the first request, which may have ended otherwise than the whole.
  const code = outcome === root.outcome ? root.code : null;
  return statusOf({ ...root, outcome, code });
}
