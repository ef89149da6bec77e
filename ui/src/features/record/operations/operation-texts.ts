/** Texts of operations: their rows, and what caused a message and was caused by it. */
import type { EdgeKind, TaskStatus } from '@/backend/bindings';
import { formatCount, formatDuration, formatQuantity } from '@/lib/format';

export const OPERATIONS = {
  label: 'Calls',
  method: 'Call',
  parts: 'Parts',
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

/** Parts of an operation: `2 input rounds · 1 question · task working · 14 rows`. */
export function partsText({
  rounds,
  questions,
  task,
  parts,
}: {
  readonly rounds: number;
  readonly questions: number;
  readonly task: TaskStatus | null;
  readonly parts: number;
}): string {
  return [
    rounds > 0 && formatQuantity(rounds, 'input round'),
    questions > 0 && formatQuantity(questions, 'question'),
    task !== null && `task ${TASK_STATUS[task]}`,
    parts > 0 && formatQuantity(parts, 'row'),
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
