import type {
  ChallengeView,
  ConnectionStatus,
  FailureReport,
  LimitView,
  Phase,
  PhaseRecord,
  Problem,
  Scope,
  ScopeFileView,
  ServerView,
} from '../bindings';

export const PROJECT = '/srv/acme-web';
export const HOME = '/home/ada';

export const SCOPES: Record<Scope, { title: string; label: string; path: string }> = {
  chimera: { title: 'Chimera', label: '~/.chimera/mcp.json', path: `${HOME}/.chimera/mcp.json` },
  user: { title: 'User', label: '~/.claude/.mcp.json', path: `${HOME}/.claude/.mcp.json` },
  project_root: { title: 'Project root', label: '.mcp.json', path: `${PROJECT}/.mcp.json` },
  project: { title: 'Project', label: '.claude/.mcp.json', path: `${PROJECT}/.claude/.mcp.json` },
  local: {
    title: 'Local',
    label: '.claude/.mcp.local.json',
    path: `${PROJECT}/.claude/.mcp.local.json`,
  },
};

export const SCOPE_ORDER: readonly Scope[] = [
  'chimera',
  'user',
  'project_root',
  'project',
  'local',
];

export function scopeFile(scope: Scope, rest: Partial<ScopeFileView> = {}): ScopeFileView {
  return { scope, ...SCOPES[scope], state: 'missing', problems: [], unreadable: null, ...rest };
}

export function disconnected(): ConnectionStatus {
  return {
    phase: 'disconnected',
    since: Date.now(),
    connection: null,
    failure: null,
    handshake: null,
    timeline: [],
    reconnection: null,
    output: [],
    health: null,
    first_connection: null,
    log_level: null,
    steps: [],
    known_endpoint: null,
    stray: null,
  };
}

/** One phase of an attempt. */
export function phaseRecord(
  phase: Phase,
  started: number,
  duration: number | null,
  detail: string | null,
  ...methods: string[]
): PhaseRecord {
  const exchanged = methods.map((method) => ({ method, count: 1 }));
  return { phase, started, duration, detail, exchanged };
}

/** The limits of a server whose entry says nothing. */
export function defaultLimits(): LimitView[] {
  const set_by = { kind: 'default' } as const;
  return [
    { phase: 'connecting', limit: 15_000, set_by },
    { phase: 'initializing', limit: 30_000, set_by },
    { phase: 'executing', limit: 60_000, set_by },
  ];
}

/** The limits of a server whose command downloads before it starts. */
export function limitsOfRunner(program: string): LimitView[] {
  return defaultLimits().map((limit) =>
    limit.phase === 'initializing'
      ? { ...limit, limit: 120_000, set_by: { kind: 'package_runner', program } }
      : limit,
  );
}

/** A server together with its entry in its file, which the window asks for by itself. */
export interface FakeServer extends ServerView {
  entry: string;
}

/** The entry of a server, verbatim; empty for the built-in one. */
export function entryOf(server: ServerView): string {
  return 'entry' in server && typeof server.entry === 'string' ? server.entry : '';
}

export interface StdioServer {
  name: string;
  scope: Scope;
  line: number;
  command: string;
  args: string[];
  environment?: Record<string, string>;
}

export function stdioServer({
  name,
  scope,
  line,
  command,
  args,
  environment,
}: StdioServer): FakeServer {
  const entry = environment ? { command, args, env: environment } : { command, args };
  return server(name, scope, line, [command, ...args].join(' '), 'stdio', entry);
}

export interface HttpServer {
  name: string;
  scope: Scope;
  line: number;
  url: string;
  headers?: Record<string, string>;
}

export function httpServer({ name, scope, line, url, headers }: HttpServer): FakeServer {
  const entry = headers ? { type: 'http', url, headers } : { type: 'http', url };
  return server(name, scope, line, url, 'http', entry);
}

function server(
  name: string,
  scope: Scope,
  line: number,
  summary: string,
  transport: 'stdio' | 'http',
  entry: unknown,
): FakeServer {
  return {
    id: `mcp-json:${name}`,
    name,
    scope,
    path: SCOPES[scope].path,
    line,
    summary,
    transport,
    era: 'auto',
    entry: JSON.stringify(entry, null, 2),
    problems: [],
    shadowed: [],
    disabled: false,
    blocked: null,
    obstacle: null,
    session_variables: [],
    start: null,
    roots: { folders: [PROJECT], is_default: true },
    status: disconnected(),
    lists: [],
    limits: defaultLimits(),
  };
}

export function demoServer(): ServerView {
  return {
    id: 'built-in:demo',
    name: 'Demo',
    scope: null,
    path: null,
    line: null,
    summary: 'sightglass demo-server',
    transport: 'stdio',
    era: 'auto',
    problems: [],
    shadowed: [],
    disabled: false,
    blocked: null,
    obstacle: null,
    session_variables: [],
    start: null,
    roots: { folders: [PROJECT], is_default: true },
    status: disconnected(),
    lists: [],
    limits: defaultLimits(),
  };
}

export function problem(line: number, column: number, message: string): Problem {
  return { severity: 'error', kind: 'syntax', line, column, message };
}

/** A connection that stopped in `at` for the reason given. */
export function failed(at: Phase, report: FailureReport): ConnectionStatus {
  const now = Date.now();
  return {
    ...disconnected(),
    phase: 'failed',
    since: now,
    connection: 3,
    failure: report,
    timeline: [
      phaseRecord('connecting', now - 420, 38.2, 'process 4127'),
      phaseRecord(at, now - 382, 374.2, null),
      phaseRecord('cleaning_up', now - 8, 7.5, null),
      phaseRecord('failed', now, null, report.reason),
    ],
  };
}

export const EXITED: FailureReport = {
  failure: {
    kind: 'exited',
    command_line: 'npx -y @modelcontextprotocol/server-github',
    code: 1,
    signal: null,
    stderr: [
      'npm warn deprecated @modelcontextprotocol/server-github@2025.4.8',
      'GITHUB_PERSONAL_ACCESS_TOKEN environment variable is not set',
      '    at main (file:///home/ada/.npm/_npx/3dfbf5a9eea4a1b3/index.js:41:11)',
    ],
    stdout: [],
    unanswered: [{ id: '0', method: 'initialize', waited: 381.2 }],
  },
  reason: 'exited with code 1',
  hint: {
    text: 'The program ended before it answered initialize. Its last lines name the variable GITHUB_PERSONAL_ACCESS_TOKEN. Set it in the environment of this server.',
    action: 'edit_server',
  },
};

export const CHALLENGE: ChallengeView = {
  url: 'https://mcp.linear.app/mcp',
  status: 401,
  header:
    'Bearer realm="OAuth", resource_metadata="https://mcp.linear.app/.well-known/oauth-protected-resource", scope="read write"',
  scope: 'read write',
  error: null,
  error_description: null,
  resource_metadata: 'https://mcp.linear.app/.well-known/oauth-protected-resource',
  message: 'The server answers only to those who sign in, and asks for the scopes read and write.',
};

export const SIGN_IN: FailureReport = {
  failure: {
    kind: 'sign_in_required',
    url: 'https://mcp.linear.app/mcp',
    status: 401,
    challenge:
      'Bearer realm="OAuth", resource_metadata="https://mcp.linear.app/.well-known/oauth-protected-resource", error="invalid_token"',
  },
  reason: 'sign-in required',
  hint: {
    text: 'The server answers only to those who sign in. Your browser opens, and you come back by yourself.',
    action: 'sign_in',
  },
};

export const TIMED_OUT: FailureReport = {
  failure: {
    kind: 'timed_out',
    phase: 'initializing',
    limit: 30000,
    set_by: { kind: 'default' },
    unanswered: [{ id: '0', method: 'initialize', waited: 30000 }],
    stderr: [],
  },
  reason: 'timed out while initializing',
  hint: {
    text: 'The server started but never answered. Check that it speaks MCP on stdout, and not only over a port.',
    action: 'reconnect',
  },
};
