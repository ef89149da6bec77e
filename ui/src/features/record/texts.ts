/** All texts of the traffic drawer: its bar, the rows, the detail of one, and the record. */
import type { ExchangeKind } from '@/backend/bindings';
import { formatCount, formatDuration, formatQuantity } from '@/lib/format';

export const BAR = {
  title: 'Traffic',
  drawer: 'Traffic drawer',
  sessionDrawer: (name: string) => `Traffic drawer, session ${name}`,
  ofSession: (name: string) => `Traffic of ${name}`,
  resize: 'Resize traffic',
  invert: 'Invert',
  quiet: 'Heartbeats and phases',
  checks: 'Checks',
  checksMeaning: (count: number) =>
    `${formatQuantity(count, 'row')} of what Sightglass sent to servers, and got, while it checked them`,
  thisServer: 'This server',
  kinds: 'Kinds',
  allKinds: 'All kinds',
  show: 'Show',
  /** Stands after it, with a space for those who hear it. */
  shown: (choices: number) => ` ${choices}`,
  choices: 'Rows to show',
  off: (dropped: number) => `Recording is off · ${formatCount(dropped)} dropped`,
  none: 'No traffic yet',
  messages: (count: number) => formatQuantity(count, 'message'),
  view: 'View',
  views: { calls: 'Calls', log: 'Log', timeline: 'Timeline', raw: 'Raw' },
  lines: (count: number) => formatQuantity(count, 'line'),
  calls: (count: number, isComplete: boolean) =>
    `${formatQuantity(count, 'call')}${isComplete ? '' : ' so far'}`,
  since: (text: string, oldest: number) => `${text} since #${formatCount(oldest)}`,
  dropped: (count: number) => `${formatCount(count)} dropped`,
  pause: 'Pause',
  resume: 'Resume',
  newer: (count: number) => `${formatCount(count)} new`,
  latest: 'Jump to latest',
  clear: 'Clear…',
  more: 'Traffic actions',
  maximise: 'Maximise',
  restore: 'Restore',
};

export const KIND_TITLES: Record<Exclude<ExchangeKind, 'phase'>, string> = {
  request: 'Requests',
  notification: 'Notifications',
  log: 'Log',
  http: 'HTTP',
  oauth: 'OAuth',
  stderr: 'stderr',
};

/** `12 of 10,035`; while older rows are still being searched, `12 so far of 10,035`. */
export function matchText(count: number, of: number, isComplete: boolean): string {
  return `${formatCount(count)} ${isComplete ? '' : 'so far '}of ${formatCount(of)}`;
}

export const FILTER = {
  label: 'Filter traffic',
  placeholder: 'Filter, e.g. tool:echo status:error',
  completions: 'Completions',
  help: 'Filter terms',
  introduction:
    'All terms must match. Tab completes what you type; right-click a cell to filter by it.',
  term: 'Term',
  meaning: 'Meaning',
  example: 'Example',
  byTerm: (term: string) => `Filter by ${term}`,
  only: (term: string) => `Filter by this: ${term}`,
  hide: 'Hide these',
};

export const EMPTY = {
  retry: 'Try again',
  searching: 'Searching…',
  nothingMatches: 'Nothing matches',
  showAll: 'Show everything',
  onRecord: (count: number) => `${formatQuantity(count, 'message')} on record.`,
  none: (conditions: string) => `None matches ${conditions}.`,
  opposite: (text: string) => `the opposite of “${text}”`,
  text: (text: string) => `“${text}”`,
  kinds: (titles: readonly string[]) => `the kinds ${titles.join(', ')}`,
  server: 'this server',
  and: ' and ',
  noTraffic: 'No traffic yet',
  meaning:
    'Connect to a server. Every request, notification, log message, HTTP exchange, stderr line and phase appears here and is kept after a restart.',
};

export const COLUMNS = {
  label: 'Messages',
  number: '#',
  direction: 'Direction',
  sent: 'sent',
  received: 'received',
  time: 'Time',
  server: 'Server',
  method: 'Method',
  target: 'Target',
  status: 'Status',
  duration: 'Duration',
  size: 'Size',
  waterfall: 'When',
  none: '–',
  child: (parent: number) => `during #${parent}: `,
  unfold: 'Unfold (→)',
  fold: 'Fold (←)',
  folded: (count: number) => `${formatQuantity(count, 'row')} folded`,
};

export const STATUS = {
  waiting: 'waiting',
  pending: 'pending',
  ok: 'ok',
  error: 'error',
  cancelled: 'cancelled',
  unanswered: 'unanswered',
  crashed: 'crashed',
  exit: (code: number | null, signal: number | null) =>
    signal === null ? `exit ${code ?? 'unknown'}` : `signal ${signal}`,
  unsupported: 'not supported',
};

export const DETAIL = {
  saveRequest: 'Save as test',
  label: 'Traffic detail',
  resize: 'Resize the detail',
  back: 'Back to the rows',
  close: 'Close the detail',
  tabs: 'Detail',
  editAndResend: 'Edit and resend',
  connectAndEdit: 'Connect and edit',
  resend: 'Resend',
  connectAndResend: 'Connect and resend',
  copy: 'Copy',
  copyRow: 'Copy this row',
  exact: 'Exactly as it was sent',
  side: 'Side',
  error: 'Error',
};

export const BOOKMARK = {
  add: 'Bookmark',
  remove: 'Remove the bookmark',
  note: 'Note',
  placeholder: 'Write a note. Find it with note:, and all bookmarks with is:bookmarked',
  tooLong: 'A note has at most 2,000 characters. This one is not kept.',
  mark: (note: string) => (note === '' ? 'Bookmarked' : `Bookmarked: ${note}`),
};

export const PANELS = {
  preview: 'Preview',
  request: 'Request',
  response: 'Response',
  message: 'Message',
  raw: 'Raw',
  timing: 'Timing',
  causes: 'Related',
  http: 'HTTP',
};

/** The names of codes in JSON-RPC 2.0, section 5.1, and in MCP. */
export const ERROR_NAMES: Readonly<Record<number, string>> = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
  [-32002]: 'Resource not found',
  [-32042]: 'URL elicitation required',
};

/** The reason why a row has no response. */
export const ABSENT = {
  waiting: 'The server waits for your answer, under Settings, Answers and folders.',
  pending: 'No response yet. It appears here when it comes.',
  cancelled: 'The request was cancelled before a response came.',
  unanswered: 'The connection ended before a response came.',
  other: (status: string | undefined) => `No response (${status ?? 'none is sent'}).`,
};

export const HTTP = {
  unknown: 'Nothing is recorded about the HTTP request.',
  url: 'URL',
  status: 'Status',
  noAnswer: 'no answer',
  pending: 'pending',
  after: (milliseconds: number) => ` after ${formatDuration(milliseconds)}`,
  error: 'Error',
  requestHeaders: 'Request headers',
  responseHeaders: 'Response headers',
};

export const TIMING = {
  started: 'Started',
  at: 'At',
  answered: 'Answered',
  headersAfter: 'HTTP headers after',
  waitingFor: 'Waiting for',
  duration: 'Duration',
  request: 'Request',
  response: 'Response',
  size: 'Size',
  server: 'Server',
  connection: (number: number) => `(connection ${number})`,
  bytes: (count: number) => `(${formatCount(count)} bytes)`,
  masked: ', secrets masked',
  unrecorded: ', in memory only (not recorded)',
};

export const COPY = {
  menu: 'Copy',
  json: 'Copy as JSON',
  curl: 'Copy as curl',
  rows: 'Copy the shown rows',
  copiedJson: 'Copied as JSON.',
  copiedCurl: 'Copied as curl.',
  copiedRows: (count: number) => `Copied ${formatQuantity(count, 'row')}.`,
};

export const CLEAR = {
  title: 'Clear traffic',
  clear: 'Clear',
  meaning: (count: number) =>
    `This removes ${formatQuantity(count, 'message')} of all servers from the record, including earlier sessions. This cannot be undone. Connections stay open.`,
  ofServer: (name: string) =>
    `This removes every message of ${name} from the record, including earlier sessions. This cannot be undone. The connection stays open.`,
};

export const EXPORTS = {
  open: 'Export…',
  row: 'Export this row…',
  connection: 'Export this connection…',
};
