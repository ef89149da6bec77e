/** All texts of the runs of a tool, in one place. */
export const RUNS = {
  menu: 'Runs',
  again: 'Run again with these arguments',
  edit: 'Edit these arguments',
  compare: 'Compare two runs',
  shown: 'shown',
  old: 'Run of',
  latest: 'Show the latest',
  first: 'First run',
  second: 'Second run',
  close: 'Close the comparison',
  arguments: 'Arguments',
  result: 'Result',
  same: 'No difference',
  cut: 'There are more differences; only the first 500 are listed.',
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  gone: 'The record no longer has both messages, or they are too large to compare (1 MB each).',
  whole: '(whole value)',
} as const;

/** The outcome of a run, in a word or two. */
export const OUTCOMES = {
  running: ['◐', 'running'],
  result: ['✓', 'ok'],
  tool_error: ['✕', 'tool error'],
  error: ['✕', 'error'],
  cancelled: ['■', 'cancelled'],
  timed_out: ['▲', 'timed out'],
  connection_lost: ['✕', 'connection lost'],
  too_large: ['▲', 'too large'],
  not_sent: ['✕', 'not sent'],
} as const;

/** Titles of what can be copied to make a run again elsewhere. */
export const COPIES = {
  cli: 'As sightglass-cli command',
  curl: 'As curl command (HTTP servers)',
} as const;

/** Says where arguments came from that were filled in. */
export function filledIn(from: string): string {
  return `Arguments of ${from} filled in`;
}

/** Judgements of the arguments. */
export const ARGUMENTS = {
  runAnyway: 'You can run it anyway.',
  valid: 'fits the schema',
  'too-large': 'This schema is too large to check here. You can run it; the server checks it.',
  'no-checker': 'The arguments cannot be checked here. You can run it; the server checks them.',
} as const;
