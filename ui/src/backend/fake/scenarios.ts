import type { ListKind, ServerId, Snapshot } from '../bindings';
import { FakeAuth } from './auth';
import { sampleGrant } from './auth-samples';
import type { FakeConfiguration } from './config/fake-configuration';
import { configurationOf, hugeConfiguration, scopesConfiguration } from './config/scenes';
import { FakeConnections } from './connect';
import { addConnectionScenes } from './connection-scenes';
import { demoLists, type FakeLists, fileServerLists, memoryLists } from './items';
import {
  CHALLENGE,
  demoServer,
  EXITED,
  failed,
  HOME,
  httpServer,
  PROJECT,
  SCOPE_ORDER,
  SIGN_IN,
  scopeFile,
  stdioServer,
} from './servers';
import { recordSample } from './traffic';
import { FakeWorld, listKey } from './world';

/** What `?scenario=` can name. */
export const SCENARIOS = [
  'project',
  'welcome',
  'unrecorded',
  'scopes',
  'huge',
  'signin',
  'connections',
] as const;

export type Scenario = (typeof SCENARIOS)[number];

export function isScenario(name: string | null): name is Scenario {
  return SCENARIOS.some((scenario) => scenario === name);
}

export interface Stage {
  world: FakeWorld;
  connections: FakeConnections;
  configuration: FakeConfiguration;
  auth: FakeAuth;
}

/** Sets the stage. */
export function openScenario(scenario: Scenario): Stage {
  const world = new FakeWorld(emptySnapshot());
  const connections = new FakeConnections(world);
  const auth = new FakeAuth(world, connections);
  addLists(world, 'built-in:demo', demoLists());
  switch (scenario) {
    case 'welcome':
      world.snapshot.servers = [demoServer()];
      break;
    case 'project':
      openProject(world, connections, auth);
      break;
    case 'signin':
      openSignIn(world, connections, auth);
      break;
    case 'connections':
      addConnectionScenes(world, connections, (id) => addLists(world, id, memoryLists()));
      loadFiles(world);
      break;
    case 'unrecorded':
      openProject(world, connections, auth);
      world.snapshot.recording = {
        ...world.snapshot.recording,
        dropped: 128,
        off: 'The disk is full: the record could not be written.',
      };
      break;
    case 'scopes':
      return withConfiguration(world, connections, auth, scopesConfiguration());
    case 'huge':
      return withConfiguration(world, connections, auth, hugeConfiguration());
  }
  const configuration = configurationOf(world.snapshot.servers);
  configuration.onChange = () => showConfiguration(world, configuration);
  return { world, connections, configuration, auth };
}

/** A stage whose servers are those of its files. */
function withConfiguration(
  world: FakeWorld,
  connections: FakeConnections,
  auth: FakeAuth,
  configuration: FakeConfiguration,
): Stage {
  configuration.onChange = () => showConfiguration(world, configuration);
  world.snapshot.servers = [demoServer()];
  showConfiguration(world, configuration);
  for (const { id } of world.snapshot.servers) addLists(world, id, memoryLists());
  return { world, connections, configuration, auth };
}

/** Lets the sidebar follow the files. */
function showConfiguration(world: FakeWorld, configuration: FakeConfiguration): void {
  const { servers } = world.snapshot;
  const builtIn = servers.filter(({ scope }) => scope === null);
  world.snapshot.servers = [...configuration.sidebar(servers), ...builtIn];
  const [client] = configuration.view().clients;
  world.snapshot.files = (client?.files ?? []).flatMap((file) => {
    const scope = SCOPE_ORDER.find((known) => known === file.scope);
    const { state, problems, unreadable } = file;
    return scope ? [scopeFile(scope, { state, problems, unreadable })] : [];
  });
  world.tellServers();
  world.tell({ type: 'configuration', view: configuration.view() });
}

function emptySnapshot(): Snapshot {
  return {
    sequence: 0,
    version: '0.1.0',
    project: {
      name: 'acme-web',
      path: PROJECT,
      data_directory: `${HOME}/.local/share/sightglass`,
    },
    servers: [],
    files: SCOPE_ORDER.map((scope) => scopeFile(scope)),
    folder: { path: PROJECT, answer: 'trusted', is_home: false },
    requests: [],
    automatic_answers: [],
    recording: {
      frames: 12_408,
      size: 18_411_520,
      dropped: 0,
      off: null,
      path: `${HOME}/.local/share/sightglass/traffic.sqlite3`,
    },
    settings: {
      theme: 'system',
      retention: { days: 30, mebibytes: 2048 },
      message_limit: 256,
      markdown: false,
      ping_interval: 30,
    },
    auth: [],
  };
}

function addLists(world: FakeWorld, server: ServerId, lists: FakeLists): void {
  for (const [list, items] of Object.entries(lists)) {
    world.items.set(listKey(server, list as ListKind), items);
  }
}

/** Marks the files that define a server as loaded. */
function loadFiles(world: FakeWorld): void {
  const used = new Set(world.snapshot.servers.map((server) => server.scope));
  world.snapshot.files = world.snapshot.files.map((file) =>
    used.has(file.scope) && file.state === 'missing' ? { ...file, state: 'loaded' } : file,
  );
}

function openProject(world: FakeWorld, connections: FakeConnections, auth: FakeAuth): void {
  const filesystem = stdioServer({
    name: 'filesystem',
    scope: 'project',
    line: 3,
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem', '${PROJECT_DIR:-.}'],
  });
  filesystem.shadowed = [{ scope: 'user', path: `${HOME}/.claude/.mcp.json` }];
  const postgres = stdioServer({
    name: 'postgres',
    scope: 'project',
    line: 7,
    command: 'uvx',
    args: ['postgres-mcp', '--access-mode=restricted'],
    environment: { DATABASE_URI: '${DATABASE_URI}' },
  });
  const linear = httpServer({
    name: 'linear',
    scope: 'project',
    line: 12,
    url: 'https://mcp.linear.app/mcp',
  });
  const github = stdioServer({
    name: 'github',
    scope: 'local',
    line: 3,
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-github'],
  });
  const memory = stdioServer({
    name: 'memory',
    scope: 'user',
    line: 3,
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-memory'],
  });
  const time = stdioServer({
    name: 'time',
    scope: 'user',
    line: 8,
    command: 'uvx',
    args: ['mcp-server-time'],
  });
  const fetch = stdioServer({
    name: 'fetch',
    scope: 'user',
    line: 12,
    command: 'uvx',
    args: ['mcp-server-fetch'],
  });
  fetch.disabled = true;
  world.snapshot.servers = [
    filesystem,
    postgres,
    linear,
    github,
    memory,
    time,
    fetch,
    demoServer(),
  ];
  loadFiles(world);
  addLists(world, filesystem.id, fileServerLists());
  addLists(world, postgres.id, memoryLists());
  addLists(world, memory.id, memoryLists());
  addLists(world, time.id, memoryLists());
  for (const id of [filesystem.id, memory.id, 'built-in:demo']) connections.connectedBefore(id);
  connections.stuckIn(postgres.id, 'listing_tools');
  linear.status = failed('initializing', SIGN_IN);
  github.status = failed('initializing', EXITED);
  auth.add(linear.id, { status: { kind: 'required', challenge: CHALLENGE } });
  const frame = recordSample(world);
  world.snapshot.requests = [
    {
      id: 1,
      server: filesystem.id,
      method: 'elicitation/create',
      params: JSON.stringify({
        mode: 'form',
        message: 'Which workspace should be searched?',
        requestedSchema: {
          type: 'object',
          properties: {
            workspace: { type: 'string', title: 'Workspace', enum: ['web', 'api', 'docs'] },
            includeHidden: { type: 'boolean', title: 'Include hidden files', default: false },
          },
          required: ['workspace'],
        },
      }),
      at: Date.now() - 42_000,
      call: null,
      frame,
      before_another_try: false,
    },
    {
      id: 2,
      server: memory.id,
      method: 'sampling/createMessage',
      params: JSON.stringify({
        messages: [
          { role: 'user', content: { type: 'text', text: 'Name this graph in three words.' } },
        ],
        systemPrompt: 'You name things briefly.',
        maxTokens: 100,
      }),
      at: Date.now() - 8_000,
      call: null,
      frame: null,
      before_another_try: false,
    },
  ];
}

/** A server for each way in which a sign-in can stand. */
function openSignIn(world: FakeWorld, connections: FakeConnections, auth: FakeAuth): void {
  const http = (name: string, line: number) =>
    httpServer({ name, scope: 'project', line, url: `https://mcp.${name}.app/mcp` });
  const linear = http('linear', 3);
  const notion = http('notion', 7);
  const jira = http('jira', 11);
  const sentry = http('sentry', 15);
  const figma = http('figma', 19);
  world.snapshot.servers = [linear, notion, jira, sentry, figma, demoServer()];
  loadFiles(world);
  for (const { id } of [linear, notion, jira, sentry, figma]) addLists(world, id, memoryLists());
  for (const server of [linear, jira, sentry, figma]) {
    server.status = failed('initializing', SIGN_IN);
  }
  const required = { status: { kind: 'required', challenge: CHALLENGE } } as const;
  auth.add(linear.id, required);
  auth.add(notion.id, {
    status: { kind: 'signed_in' },
    identity: 'work',
    identities: [
      { name: 'work', grant: sampleGrant('ada@acme.example', 58), problem: null },
      { name: 'personal', grant: sampleGrant('ada@home.example', 4000), problem: null },
      { name: 'admin', grant: null, problem: null },
    ],
  });
  connections.connectedBefore(notion.id);
  auth.add(jira.id, required, 'wrong-issuer');
  auth.failedBefore(jira.id);
  auth.add(sentry.id, required, 'locked-keychain');
  auth.add(figma.id, required, 'stuck-in-browser');
}
