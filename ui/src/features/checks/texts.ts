/** All texts about what judges a server. */
import type { Era, LoadPlan, SuiteView } from '@/backend/bindings';
import { formatCount, formatQuantity } from '@/lib/format';
import type { CheckPart } from '@/state/checks/checks';

export const CHECKS = {
  parts: 'Checks',
  all: 'Check all',
};

export const PART_TITLES: Record<CheckPart, string> = {
  connection: 'Connection',
  findings: 'Findings',
  changes: 'Changes',
  conformance: 'Conformance',
  load: 'Load',
  tests: 'Tests',
};

export const DOCTOR = {
  meaning:
    'Starts or reaches the server once more, beside your connection, and looks at each step.',
  checks: 'Steps',
  check: 'Check the connection',
  copy: 'Copy as text',
  copied: 'Copied the report',
  again: 'Check again',
  useAddress: 'Use it',
};

export const TESTING = {
  tool: 'Tool',
  toolOfChecks: 'Tool to call (optional)',
  arguments: 'Arguments',
  argumentsMeaning: 'A JSON object.',
  era: 'Protocol',
} as const;

export const CONFORMANCE = {
  run: 'Run checks',
  meaning:
    'Checks a server of your own against the clauses of the specification, in both generations of the protocol, over connections of its own. No tool is called but the one that you name here.',
  checks: 'Verdicts',
  all: 'All',
  failed: 'Failed',
  messages: (exchange: number, title: string) =>
    `#${exchange}: show the messages behind “${title}”`,
} as const;

export const SUITE = {
  choice: 'Official suite',
  meaning:
    'The official suite judges by itself. It sends neither headers nor a token, and most of its scenarios call the tools, prompts and resources of its own example server: what a server lacks of these fails.',
  httpOnly: 'The official suite speaks HTTP only. Start the server over HTTP to run it.',
  title: 'Official suite',
  install: 'Download the official suite?',
  installs: ({ package: name, version, packages, mebibytes, directory }: SuiteView) =>
    `npm downloads ${name} ${version} with what it depends on: ${formatQuantity(packages, 'package')}, ${mebibytes} MiB, into ${directory}. The content of each package is fixed, no script of a package runs, and nothing is downloaded afterwards.`,
  download: 'Download',
  downloading: 'Downloading…',
  confirm: 'Run the suite against another machine?',
  remote: (host: string) =>
    `The official suite sends several hundred requests to ${host}, which is not this machine. Only test servers of your own.`,
  start: 'Run the suite',
  notScored: 'not scored',
} as const;

export const ERAS: Record<Era, string> = {
  legacy: 'Legacy generation (up to 2025-11-25)',
  modern: 'Modern generation (2026-07-28)',
};

export const ERA_CHOICES = [
  { value: 'both', label: 'Both generations' },
  { value: 'legacy', label: 'Up to 2025-11-25' },
  { value: 'modern', label: '2026-07-28' },
] as const;

export const LOAD = {
  run: 'Start',
  meaning:
    'Calls one tool of a server of your own at a steady rate. The moments of the calls are fixed before the run: the time in which a call waits for a free client counts as its response time. The messages are not recorded.',
  rate: 'Calls per second',
  clients: 'Clients',
  clientsMeaning: 'Connections that call at the same time, 64 at most.',
  seconds: 'Duration in seconds',
  confirm: 'Start this load run?',
  start: (total: number) => `Send ${formatQuantity(total, 'call')}`,
  toHost: (plan: LoadPlan) =>
    `It sends ${formatQuantity(plan.total, 'call')} to ${plan.host}, which is not this machine. Only put load on servers of your own.`,
  effects: (tool: string, total: number) =>
    `${tool} does not say that it only reads. It is called ${formatCount(total)} times, and each call may change something.`,
  progress: 'Progress',
  result: 'Load result',
  succeeded: 'Succeeded',
  failed: 'Failed',
  notSent: 'Not sent',
  notSentMeaning: 'They were due while every client still waited for an answer.',
  throughput: 'Answers per second',
  took: 'Duration',
  latency: 'Response times',
  since: 'Time',
  response: 'Since due',
  service: 'Since sent',
  percentiles: ['p50', 'p90', 'p99', 'max'],
  histogram: 'Histogram of response times',
  range: 'Response time',
  count: 'Calls',
  errors: 'Errors',
} as const;

/** Tells how many calls took how long, for a bar of the histogram. */
export function barText(from: string, to: string, count: number): string {
  return `${from} to ${to}: ${formatQuantity(count, 'call')}`;
}
