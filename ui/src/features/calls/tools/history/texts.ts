/** All texts of the calls of a tool that are on record, in one place. */
import { formatQuantity } from '@/lib/format';

export const HISTORY = {
  label: 'History',
  calls: 'Calls on record',
  count: (count: number, isFinal: boolean) =>
    `${formatQuantity(count, 'call')} on record${isFinal ? '' : ', searching older ones'}`,
  time: 'Time',
  outcome: 'Outcome',
  duration: 'Duration',
  arguments: 'Arguments',
  notOnRecord: 'not on record',
  toolError: 'tool error',
  error: (code: number) => `error ${code}`,
  compare: 'Compare…',
  close: 'Close the history',
  chooseOther: 'Choose the call to compare it with',
  cancelChoice: 'Do not compare',
  running: 'This call has no result yet.',
  none: 'No call of this tool is on record',
  noneHint: 'Calls of this server are listed here once they are recorded, also after a restart.',
  masked: 'Secrets in these arguments are masked on record: edit them first.',
} as const;
