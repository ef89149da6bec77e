/** Servers and connections as the backend shows them, for unit tests. */
import type {
  ConnectionStatus,
  FailureReport,
  Phase,
  PhaseRecord,
  Problem,
  ScopeFileView,
  ServerView,
  Target,
} from '@/backend/bindings';

type Scope = 'chimera' | 'user' | 'project-root' | 'project' | 'local';

const PROJECT = '/srv/acme-web';

const SCOPES: Record<Scope, { title: string; label: string; path: string }> = {
  chimera: { title: 'Chimera', label: '~/.chimera/mcp.json', path: `/home/ada/.chimera/mcp.json` },
  user: { title: 'User', label: '~/.claude/.mcp.json', path: `/home/ada/.claude/.mcp.json` },
  'project-root': { title: 'Project root', label: '.mcp.json', path: `${PROJECT}/.mcp.json` },
  project: { title: 'Project', label: '.claude/.mcp.json', path: `${PROJECT}/.claude/.mcp.json` },
  local: {
    title: 'Local',
    label: '.claude/.mcp.local.json',
    path: `${PROJECT}/.claude/.mcp.local.json`,
  },
};

export function scopeFile(scope: Scope, rest: Partial<ScopeFileView> = {}): ScopeFileView {
  const target: Target = { client: 'mcp-json', scope };
  const clientTitle = '.mcp.json';
  return {
    target,
    clientTitle,
    ...SCOPES[scope],
    state: 'missing',
    problems: [],
    unreadable: null,
    ...rest,
  };
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
    loss: null,
    output: [],
    health: null,
    firstConnection: null,
    logLevel: null,
    steps: [],
    knownEndpoint: null,
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

interface StdioServer {
  name: string;
  scope: Scope;
  line: number;
  command: string;
  args: string[];
}

export function stdioServer({ name, scope, line, command, args }: StdioServer): ServerView {
  return {
    ...demoServer(),
    id: `mcp-json:${name}`,
    name,
    origin: 'file',
    target: { client: 'mcp-json', scope },
    clientTitle: '.mcp.json',
    scopeTitle: SCOPES[scope].title,
    path: SCOPES[scope].path,
    line,
    summary: [command, ...args].join(' '),
  };
}

export function demoServer(): ServerView {
  return {
    id: 'built-in:demo',
    name: 'Demo',
    origin: 'builtIn',
    target: null,
    clientTitle: 'Sightglass',
    scopeTitle: 'Built in',
    also: [],
    path: null,
    line: null,
    summary: 'sightglass demo-server',
    transport: 'stdio',
    era: 'auto',
    problems: [],
    shadowed: [],
    disabled: false,
    differences: [],
    blocked: null,
    obstacle: null,
    sessionVariables: [],
    start: null,
    roots: { folders: [PROJECT], isDefault: true },
    status: disconnected(),
    lists: [],
    limits: [],
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
      phaseRecord('cleaningUp', now - 8, 7.5, null),
      phaseRecord('failed', now, null, report.reason),
    ],
  };
}

export const TIMED_OUT: FailureReport = {
  failure: {
    type: 'timedOut',
    phase: 'initializing',
    limit: 30000,
    setBy: { type: 'default' },
    unanswered: [{ id: '0', method: 'initialize', target: null, waited: 30000 }],
    stderr: [],
    prompt: null,
  },
  reason: 'timed out while initializing',
  headline: null,
  trace: null,
  hint: {
    text: 'The server started but never answered. Check that it speaks MCP over stdio, not only on a port.',
    action: { type: 'reconnect' },
  },
  mayBeElsewhere: false,
};
