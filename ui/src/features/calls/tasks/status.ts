import type { TaskView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { NOT_FOLLOWED, STATUSES } from './texts';

/** The status of a task, or the reason why it is not known. */
export function statusOf({ follow, facts }: TaskView): StatusLabel {
  return follow === 'unknown' || follow === 'notConnected'
    ? NOT_FOLLOWED[follow]
    : STATUSES[facts.status];
}
