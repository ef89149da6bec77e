import type { EdgeKind, Operation, TaskStatus } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatCount, formatDuration, formatQuantity } from '@/lib/format';
import { statusOf } from '../rows/row-words';
import { STATUS } from '../texts';

/** Texts of operations: their rows, and what caused a message and was caused by it. */

export const OPERATIONS = {
  label: 'Calls',
  method: 'Call',
  parts: 'Inside',
  person: 'Waiting for a person',
  open: 'Show what belongs to it (→)',
  close: 'Fold (←)',
  lateResult: 'late result',
  lateMeaning: 'The result came after the request was cancelled.',
  inferred: 'inferred',
  inferredMeaning: 'Inferred: nothing else on record fits. The messages themselves do not say so.',
  inferredParts: 'Some of its parts are inferred: nothing else on record fits.',
  duration: (total: string, personTime: number) =>
    personTime > 0 ? `${total}, of it ${formatDuration(personTime)} waiting for a person` : total,
};

/** The words of a task's status. */
const TASK_STATUS: Readonly<Record<TaskStatus, string>> = {
  working: 'working',
  input_required: 'needs input',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

type Parts = Pick<Operation, 'rounds' | 'questions' | 'task' | 'parts' | 'progress' | 'http'>;

/**
 * Parts of an operation: `2 input rounds · 1 question · task working · 3 progress · 1 message`. Each
 * has its HTTP requests, which say nothing about it.
 */
export function partsText({ rounds, questions, task, parts, progress, http }: Parts): string {
  const messages = parts - rounds - questions - progress - http;
  return [
    rounds > 0 && formatQuantity(rounds, 'input round'),
    questions > 0 && formatQuantity(questions, 'question'),
    task !== null && `task ${TASK_STATUS[task]}`,
    progress > 0 && `${formatCount(progress)} progress`,
    messages > 0 && formatQuantity(messages, 'message'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The relation of a row to what caused it, as its kind among the parts of that. */
export const PART_KINDS: Readonly<Record<EdgeKind, string>> = {
  carrier: 'carried by',
  repetition: 'sent again by',
  progress: 'progress',
  cancellation: 'cancellation',
  round: 'further round',
  question: 'question',
  log: 'log message',
  task: 'task',
  subscription: 'subscription',
  signIn: 'sign-in',
  listRefresh: 'list read again',
  resourceLink: 'link followed',
  trace: 'same trace',
};

/** The same from its side, before the name of the cause. */
export const CAUSE_KINDS: Readonly<Record<EdgeKind, string>> = {
  carrier: 'carries',
  repetition: 'sends again',
  progress: 'progress of',
  cancellation: 'cancels',
  round: 'further round of',
  question: 'asked during',
  log: 'logged during',
  task: 'task of',
  subscription: 'subscribed by',
  signIn: 'sign-in for',
  listRefresh: 'read again after',
  resourceLink: 'linked from',
  trace: 'same trace as',
};

export const CAUSES = {
  list: 'Related rows',
  operation: 'Call',
  show: 'Show in Calls',
  causedBy: 'Caused by',
  caused: 'Caused',
  ofAll: (shown: number, all: number) =>
    shown < all ? `the first ${formatCount(shown)} of ${formatCount(all)}` : formatCount(all),
  noCause: 'Nothing on record caused it: it began here.',
  noEffect: 'It caused nothing on record.',
  lookingBack: 'Looking further back…',
};

export const OPERATIONS_EMPTY = {
  lookingBack: 'Looking further back…',
  none: 'No calls yet',
  meaning:
    'A row is one thing that was done: a call with its rounds, questions, progress and HTTP requests. Connect to a server, and each appears here.',
};

/** The status of the whole of an operation; nothing for what has no answer to wait for. */
export function operationStatus(operation: Operation, isCrashed = false): StatusLabel | null {
  const { root, outcome, task, waitsForPerson: waits } = operation;
  if (outcome === 'pending' && (waits || task === 'input_required')) {
    return { glyph: '▲', label: STATUS.waiting, tone: 'warn' };
  }
  // The code is that of the first request, which may have ended otherwise than the whole.
  const code = outcome === root.outcome ? root.code : null;
  return statusOf({ ...root, outcome, code }, isCrashed);
}
