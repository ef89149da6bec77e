import type { SessionCheck } from '@/backend/bindings';
import { formatCount, formatQuantity } from '@/lib/format';

export const SESSION = {
  kind: 'Session file',
  meaning: 'Read only. Nothing in it runs, and none of it is in your own record.',
  close: 'Close',
  copyMock: 'Copy mock command',
  copiedMock: 'Copied. The command serves this recording as an MCP server.',
  masked: 'Secrets were masked in this recording.',
  stopped: 'Reading stopped.',
  remarks: 'Remarks on the file',
  moreRemarks: (count: number) => `and ${formatQuantity(count, 'further remark')}`,
  loading: (percent: number) => `Reading, ${percent} %`,
  facts: {
    path: 'File',
    servers: 'Servers',
    writtenBy: 'Written by',
    writtenAt: 'Written',
    frames: 'Frames',
    size: 'Size',
    format: 'Format',
  },
  version: (version: number) => `version ${version}`,
} as const;

export const CHECKS = {
  title: 'Checks',
  run: 'Check',
  again: 'Check again',
  running: 'Checking',
  none: (frames: number) => `Nothing was found in ${formatQuantity(frames, 'frame')}.`,
  found: (count: number, frames: number) =>
    `${formatQuantity(count, 'finding')} in ${formatQuantity(frames, 'frame')}`,
  leftOut: (count: number) => `${formatCount(count)} more are not shown.`,
  show: (exchange: number) => `Show row ${exchange} in the traffic`,
  row: (exchange: number) => `#${exchange}`,
} as const;

/** Titles of the checks. */
export const CHECK_TITLES: Record<SessionCheck, string> = {
  error: 'Errors',
  stray: 'Stray output',
  invalid: 'Invalid messages',
  pending: 'Requests without an answer',
  'late-result': 'Results after the cancellation',
  mismatch: 'Headers against the message',
  'request-state': 'Request state',
  deprecated: 'Deprecated features',
  schema: 'Output schemas',
  'id-reuse': 'Ids used again',
  incomplete: 'Missing parts',
};
