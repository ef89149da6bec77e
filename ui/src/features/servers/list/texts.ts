/** All texts of the sidebar, of the welcome, of broken files and of trust in a folder, in one place. */
import type { ProjectEntry } from '@/backend/bindings';
import { formatDuration, formatQuantity } from '@/lib/format';

export const SIDEBAR = {
  setup: 'Setup',
  /** The servers of all clients, and the clients that are here. */
  matrix: (servers: number, clients: number) =>
    `${formatQuantity(servers, 'server')}, ${formatQuantity(clients, 'client')}`,
  tests: 'Tests',
  testsRunning: 'running',
  testsFailed: (count: number) => `${count} ✕`,
  testsPassed: (count: number) => `${count} ✓`,
  session: (name: string) => `Session file ${name}`,
  sessionLoading: 'loading',
  label: 'Servers',
  filter: 'Filter servers',
  matches: (matched: number, total: number) => `${matched} of ${formatQuantity(total, 'server')}`,
  nothingMatches: 'No server matches.',
  /** Read out for a group whose servers are not shown. */
  collapsed: (group: string, count: number) =>
    `${group}, ${formatQuantity(count, 'server')}, collapsed`,
  /** The clients that have a server, read out. */
  inClients: (clients: readonly string[]) => `in ${clients.join(', ')}`,
  moreClients: (count: number) => `+${count}`,
  tokensMeaning: 'Tokens that its tools take in a model’s context, estimated',
  draft: '● Not saved',
  toApprove: (count: number) => `${count} to approve`,
  invalid: (count: number) => `${count} invalid`,
  add: 'Add server',
  settings: 'Settings',
  questions: (count: number) => formatQuantity(count, 'question'),
  latency: (milliseconds: number) => `Latency ${formatDuration(milliseconds)}`,
  unreadableFile: 'Unreadable file',
  brokenFile: 'Broken file',
  place: (line: number, column: number) => `line ${line}, column ${column}`,
  menu: 'Server',
} as const;

export const MARKED = {
  label: 'Selected servers',
  count: (count: number) => `${count} selected`,
  connect: 'Connect',
  disconnect: 'Disconnect',
  close: 'Select one server alone',
} as const;

export const BROKEN_FILE = {
  lead: 'This file cannot be read, so its servers are not listed. The other files still count.',
  problems: 'Problems',
  showInFileManager: 'Show in file manager',
  openAt: (line: number) => `Open at line ${line}`,
  file: 'File',
  client: 'Read by',
  sightglass: 'Sightglass',
  scope: 'Scope',
  path: 'Path',
  correct: 'Correct it here or in your own editor. It is read again when it is saved.',
} as const;

export const TRUST = {
  title: 'Trust the programs and settings in this folder?',
  startOutside: 'Start outside the folder',
  notNow: 'Not now',
  trust: 'Trust folder',
  consequence:
    'Servers then start in this folder, where packages, scripts and settings can change what they do. Trust it only if you trust its author.',
  /** After the name of a server. */
  canStartOutside: 'can also start in an empty directory, where nothing of the folder reaches it.',
  needsIt: 'does not start without it.',
} as const;

export const WELCOME = {
  title: 'See what flows between you and an MCP server',
  /** `others`: servers of other clients. */
  lead: (others: number) =>
    others === 0
      ? 'No servers in this project yet.'
      : `${formatQuantity(others, 'server')} of your other clients ${others === 1 ? 'is' : 'are'} in the list.`,
  /** After the name of a file. */
  unreadable: (line: number | undefined) =>
    line === undefined ? ' cannot be read.' : ` cannot be read. Line ${line}:`,
  show: 'Show the file',
  /** The first word of each step stands out. */
  steps: [
    ['Connect', ' to a server and watch each phase.'],
    ['Call', ' its tools through forms, read its resources, fill in its prompts.'],
    ['Look', ' at every message below, exactly as it was sent.'],
  ],
  connect: (server: string) => `Connect to ${server}`,
  open: (server: string) => `Open ${server}`,
  add: 'Add a server of your own',
  guide: 'Guide',
  palette: 'The command palette leads to everything:',
} as const;

export const FOUND = {
  title: (count: number) => `${formatQuantity(count, 'server')} of your other clients`,
  importAll: 'Import into .mcp.json…',
  open: 'Open',
  openNamed: (name: string) => `Open ${name}`,
  more: (count: number) => `and ${count} more in the sidebar`,
} as const;

export const PROJECTS = {
  title: 'Projects',
  open: 'Open folder…',
  openSession: 'Open session file…',
  current: (name: string) => `● ${name}`,
  close: (name: string) => `Close ${name}`,
  draft: 'unsaved change',
  /** Summary of a project that is open. */
  state: ({ questions, hasDraft }: ProjectEntry, connected: number) =>
    [
      connected > 0 && `${connected} connected`,
      questions > 0 && formatQuantity(questions, 'question'),
      hasDraft && PROJECTS.draft,
    ]
      .filter(Boolean)
      .join(', '),
} as const;

export const RESTART = {
  title: 'Restart on change',
  meaning: 'Whenever something below this path changes, the server is started and connected anew.',
  start: 'Watch',
  watching: (path: string) => `Restarts when ${path} changes`,
  stop: 'Stop watching',
};
