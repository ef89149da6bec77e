/** All texts of the overview: the verdict, failures and obstacles, and the facts. */
import type { Era, LimitSource, ListKind, StepOutcome, TransportKind } from '@/backend/bindings';
import { formatCount, formatDuration, formatQuantity } from '@/lib/format';

export const ERAS: Record<Era, string> = {
  modern: 'modern (2026-07-28)',
  legacy: 'legacy (up to 2025-11-25)',
};

export const TRANSPORTS: Record<TransportKind, string> = {
  stdio: 'stdio',
  http: 'HTTP',
  sse: 'SSE',
  webSocket: 'WebSocket',
};

export const OVERVIEW = {
  notConnected: 'Not connected',
  disabled: 'Disabled in its file',
  disabledMeaning: 'Clients skip this server. You can still connect to it here.',
  command: 'Command that will run',
  address: 'Address to connect to',
  output: 'From stderr',
  outdated: 'The entry changed after this connection was made.',
  reconnect: 'Reconnect',
  connection: 'Connection',
  startedOutside: 'Started in an empty directory because this folder is not trusted.',
  startedOutsideThen: 'Started in an empty directory because this folder was not trusted then.',
  trustFolder: 'Trust folder…',
};

export const EXTENT = {
  tokens: (tokens: number, share: number) =>
    `≈${formatQuantity(tokens, 'token')} (${share < 200 ? `${share < 1 ? '< 1' : share} % of` : `${Math.round(share / 100)} times`} 200k)`,
};

export const NEXT_STEPS = {
  tryTool: 'Try a tool',
  copy: 'Copy into another client',
};

export const VERDICT = {
  works: 'Works',
  things: (count: number) => `${formatQuantity(count, 'thing')} to look at:`,
  moreThings: (count: number) => `${formatQuantity(count, 'more thing')} to look at:`,
  places: (count: number) => `in ${formatCount(count)} places`,
  alike: (count: number) => `and ${formatCount(count)} more like it`,
  more: (count: number) => `${formatCount(count)} more`,
  showMessages: 'Show messages',
  checks: 'Show checks',
};

/** Failures and obstacles, and what to do about them. */
export const PROBLEM = {
  failed: (reason: string) => `Failed: ${reason}`,
  lastTry: (reason: string) => `The last try: ${reason}`,
  connectAgain: 'Connect again',
  edit: 'Edit server',
  enterClientId: 'Enter a client id',
  pasteToken: 'Paste a token',
  signIn: 'Sign in',
  showMessages: 'Show messages',
  tryPaths: 'Try the common paths',
  openLine: (line: number) => `Open at line ${line}`,
  trustFolder: 'Trust folder…',
  why: 'Why',
  evidence: 'Evidence',
  file: 'File',
  command: 'Command',
  address: 'Address',
};

export const SESSION_VARIABLES = {
  title: 'Set for this session',
  until: 'until you close Sightglass',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
};

export const STEPS = {
  title: 'Ways tried',
  next: (transport: TransportKind, era: Era) =>
    `Next time: ${TRANSPORTS[transport]}, ${ERAS[era]} first`,
  forget: 'Try all again',
};

export const STEP_OUTCOMES: Record<StepOutcome, string> = {
  running: 'Running',
  succeeded: 'Worked',
  failed: 'Did not work',
  superseded: 'Not needed',
};

export const PHASES = {
  title: 'Phases',
  connecting: 'Connecting',
  before: 'Phases of the previous session',
  limit: (limit: number, source: string) => `at most ${formatDuration(limit)} (${source})`,
  method: (method: string, count: number) => (count > 1 ? `${method} ×${count}` : method),
};

export const RECONNECTION = {
  lost: (reason: string) => `The connection was lost: ${reason}.`,
  underWay: (attempt: number) => `Try ${attempt} is under way.`,
  begins: (attempt: number, seconds: number) =>
    seconds > 0 ? `Try ${attempt} begins in ${seconds} s.` : `Try ${attempt} begins now.`,
  waiting: (requests: number) =>
    `${formatQuantity(requests, 'request waits', 'requests wait')} for the connection, three minutes at most.`,
};

export const LIMITS = {
  title: 'Time limits',
  wholeStart: 'Start limit',
  call: 'Call limit',
  /** `15 s (default)`. */
  value: (limit: number) => formatDuration(limit).replace('.0 ', ' '),
  source: (source: LimitSource): string => {
    switch (source.type) {
      case 'default':
        return 'default';
      case 'packageRunner':
        return `default for ${source.program}, which may download first`;
      case 'entry':
        return `${source.field} in its entry`;
      case 'variable':
        return `variable ${source.name}`;
      case 'serverSetting':
        return 'connection settings';
      case 'setting':
        return 'settings';
      case 'client':
        return `default of ${source.client}`;
    }
  },
};

export const LISTS = {
  title: 'Lists',
  items: (count: number) => formatQuantity(count, 'item'),
  unusable: (count: number) => `${formatCount(count)} cannot be used (marked in the list)`,
  cached: (milliseconds: number) => `stays as it is for ${formatDuration(milliseconds)} (ttlMs)`,
  incomplete: (message: string) => `incomplete: ${message}`,
};

export const LIST_NAMES: Record<ListKind, string> = {
  tools: 'Tools',
  resources: 'Resources',
  resourceTemplates: 'Templates',
  prompts: 'Prompts',
};

export const SERVER = {
  pingNow: 'Ping now',
  title: 'Server',
  instructions: 'Instructions',
  name: 'Name',
  fullName: (title: string, name: string) => `${title} (${name})`,
  description: 'Description',
  website: 'Website',
  version: 'Version',
  protocol: 'Protocol',
  latency: 'Latency',
  process: 'Process',
  command: 'Command',
  address: 'Address',
  capabilities: 'Capabilities',
  noCapabilities: 'None',
  remoteIcons: 'Icons elsewhere',
  notLoaded: 'Not loaded.',
  logLevel: 'Log level',
  levelByServer: 'Server’s default',
  firstReply: 'first reply',
  ping: (time: string) => `ping at ${time}`,
  missed: (pings: number) =>
    pings === 1 ? 'No answer to the last ping.' : `No answer to the last ${pings} pings.`,
  icon: (name: string) => `Icon of ${name}`,
};

export const HANDSHAKE = {
  title: 'Handshake',
  message: 'Message',
  request: 'Request',
  response: 'Response',
  label: (side: 'request' | 'response') => `Handshake ${side}`,
};

export const TRIED = {
  title: 'Not saved',
  meaning: 'This server is not saved. It is gone when you quit Sightglass.',
  forget: 'Forget',
  save: 'Save to…',
} as const;
