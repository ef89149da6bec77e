import { formatDuration, formatQuantity, formatSecond } from '@/lib/format';
import type { Run } from '@/state/calls/runs';

/** All texts of the tools, their arguments and their runs, in one place. */

export const TOOLS = {
  label: 'Tools',
  noun: 'tools',
  noResult: 'No result yet',
  noResultHint:
    'Fill in the arguments, then run the tool. The result stays while you look at other tools.',
  gone: (name: string) => `${name} is gone`,
  goneHint: 'The server no longer lists this tool. Its last result stays on the right.',
  failed: 'This tool cannot be shown',
  choose: 'Choose a tool',
  chooseHint: 'Its arguments appear here.',
  /** The name of a result's file before there is a tool. */
  fileName: 'result',
} as const;

/** One tool. */
export const TOOL = {
  editAs: 'Edit the arguments as',
  form: 'Form',
  json: 'JSON',
  arguments: 'Arguments',
  run: 'Run',
  reset: 'Reset',
  tooDeep: 'The definition is nested too deeply to be read here. Edit the arguments as JSON.',
} as const;

/** Calls as tasks. */
export const TASK = {
  asTask: 'As task',
  meaning:
    'The server works in the background and keeps the result. Tasks shows how far it is, also after a restart.',
  required: 'The server runs this tool as a task only.',
  keep: 'Keep the result',
  serverDecides: 'as the server decides',
  minute: 'for a minute',
  tenMinutes: 'for ten minutes',
  hour: 'for an hour',
  day: 'for a day',
} as const;

/** Calls as two identities. */
export const IDENTITIES = {
  compare: 'Compare accounts',
  runAs: (one: string, other: string) => `Run as ${one} and as ${other}`,
  running: (one: string, other: string) => `Running as ${one} and as ${other}`,
  same: (one: string, other: string) => `${one} and ${other} get the same result`,
  different: (one: string, other: string) => `${one} and ${other} get different results`,
  failed: 'One of the two calls failed',
  end: 'Show one result',
} as const;

/** The calls of a tool. */
export const RUNS = {
  menu: 'History',
  all: 'All calls on record',
  again: 'Run again with these arguments',
  edit: 'Edit these arguments',
  compare: 'Compare two calls',
  shown: 'shown',
  old: (time: string) => `Call of ${time}`,
  /** The source of arguments that were filled in. */
  source: (time: string) => `the call of ${time}`,
  compared: 'Compared calls',
  differences: 'Differences',
  differencesOf: (title: string) => `${title}: differences`,
  latest: 'Show the latest',
  first: 'First call',
  second: 'Second call',
  close: 'Close the comparison',
  arguments: 'Arguments',
  result: 'Result',
  same: 'No difference',
  sameAs: (time: string) => `Same result as the call of ${time}`,
  differsFrom: (count: number, time: string) =>
    `${formatQuantity(count, 'difference')} to the result of ${time}`,
  showBoth: 'Compare',
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
  toolError: ['✕', 'tool error'],
  error: ['✕', 'error'],
  cancelled: ['■', 'cancelled'],
  timedOut: ['▲', 'timed out'],
  connectionLost: ['✕', 'connection lost'],
  refused: ['✕', 'refused'],
  tooLarge: ['▲', 'too large'],
  notSent: ['✕', 'not sent'],
} as const;

/** Titles of what can be copied to make a run again elsewhere. */
export const COPIES = {
  copied: 'Copied the command',
  cli: 'Copy as sightglass-cli command',
  curl: 'Copy as curl command (HTTP servers)',
} as const;

/** Says where arguments came from that were filled in. */
export function filledIn(from: string): string {
  return `Arguments of ${from} filled in`;
}

/** Judgements of the arguments. */
export const ARGUMENTS = {
  runAnyway: 'You can run it anyway.',
  valid: 'fits the schema',
  checking: 'Checking…',
  notChecked: (reason: string) => `Not checked: ${reason}. You can run it; the server checks it.`,
} as const;

/** The time of day at which a run began, to the second, and the day where that is not today. */
export function timeOf({ startedAt }: Run): string {
  return formatSecond(startedAt);
}

/** A run in one line: `14:02:11 ✓ ok 2.0 ms`. */
export function runLine(run: Run): string {
  const [glyph, word] = OUTCOMES[outcomeOf(run)];
  const took =
    run.report &&
    formatDuration(Math.max(0, run.report.request.duration - run.report.request.waited));
  return [timeOf(run), glyph, word, took].filter(Boolean).join(' ');
}

function outcomeOf({ report, failure }: Run): keyof typeof OUTCOMES {
  if (failure) return 'notSent';
  if (!report) return 'running';
  return report.result?.isError ? 'toolError' : report.request.end;
}
