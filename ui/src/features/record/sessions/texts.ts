import type { ReplayOutcome } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
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

export const COMPARE = {
  open: 'Compare',
  title: (file: string) => `Compare ${file}`,
  recorded: 'Recorded server',
  with: 'Compare with',
  meaning: 'The first side is the recording: changes are those since then.',
  connectedServer: 'A connected server, as it is now',
  otherRecording: 'An opened session file',
  nothing: 'Connect a server, or open another session file, to compare with.',
} as const;

export const REPLAY = {
  open: 'Replay',
  title: (file: string) => `Send the requests of ${file} again`,
  meaning:
    'Sends each chosen request once, in the order of the recording, and compares the answers. Ids, times and durations are not compared.',
  recorded: 'Recorded server',
  server: 'Send to',
  noServer: 'Connect a server to send the requests to.',
  list: 'Requests',
  reading: 'Reading the requests…',
  none: 'The recording has no request that can be sent again.',
  more: (count: number) => `${formatQuantity(count, 'further request')} not shown.`,
  difference: (request: number) => `Difference of answer ${request}`,
  mayChange: 'may change something',
  masked: 'secrets are masked in it',
  send: (count: number) => `Send ${formatQuantity(count, 'request')}`,
  stop: 'Stop',
  close: 'Close',
  chooseAll: 'All that only read',
  chooseNone: 'None',
  ask: (names: readonly string[]) =>
    `${formatQuantity(names.length, 'chosen call')} may change something: ${names.join(', ')}. Send ${names.length === 1 ? 'it' : 'them'} too?`,
  sendAll: 'Send all',
  leaveOut: 'Leave these out',
  progress: (done: number, of: number) => `${done} of ${of} sent`,
  result: (same: number, bad: number) =>
    bad === 0
      ? `${formatQuantity(same, 'answer')} as recorded.`
      : `${formatQuantity(bad, 'answer')} not as recorded, ${same} as recorded.`,
  outcomes: {
    same: { glyph: '✓', tone: 'ok', label: 'as recorded' },
    different: { glyph: '✕', tone: 'bad', label: 'different' },
    nothingToCompare: { glyph: '○', tone: 'idle', label: 'no answer was recorded' },
    unanswered: { glyph: '✕', tone: 'bad', label: 'no answer' },
    skipped: { glyph: '○', tone: 'idle', label: 'not sent: it may change something' },
  } satisfies Record<ReplayOutcome['type'], StatusLabel>,
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
