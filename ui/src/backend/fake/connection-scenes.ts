import type { ConnectionStatus, FailureReport, HandshakeResult, ServerId } from '../bindings';
import type { FakeConnections } from './connect';
import {
  disconnected,
  failed,
  httpServer,
  limitsOfRunner,
  phaseRecord,
  stdioServer,
} from './servers';
import type { FakeWorld } from './world';

/** A server for each thing that a connection can be in the middle of, or ended with. */
export function addConnectionScenes(
  world: FakeWorld,
  connections: FakeConnections,
  addLists: (server: ServerId) => void,
): void {
  const lost = stdioServer({
    name: 'lost',
    scope: 'project',
    line: 3,
    command: 'node',
    args: ['build/index.js'],
  });
  lost.status = lostConnection(null);
  const returning = httpServer({
    name: 'returning',
    scope: 'project',
    line: 8,
    url: 'https://mcp.example.com/mcp',
  });
  returning.status = lostConnection('under way');
  const cold = stdioServer({
    name: 'cold',
    scope: 'project',
    line: 12,
    command: 'npx',
    args: ['-y', '@acme/heavy-mcp'],
  });
  cold.limits = limitsOfRunner('npx');
  cold.status = coldStart();
  const older = httpServer({
    name: 'older',
    scope: 'user',
    line: 3,
    url: 'https://legacy.example.com/sse',
  });
  const rich = httpServer({
    name: 'rich',
    scope: 'user',
    line: 8,
    url: 'https://maps.example.com/mcp',
  });
  const untrusted = httpServer({
    name: 'untrusted',
    scope: 'user',
    line: 12,
    url: 'https://localhost:8443/mcp',
  });
  untrusted.status = failed('connecting', UNTRUSTED);
  world.snapshot.servers = [lost, returning, cold, older, rich, untrusted];
  for (const { id } of [older, rich]) {
    addLists(id);
    connections.connectedBefore(id);
  }
  older.status = { ...older.status, ...foundByFallback() };
  rich.status = {
    ...rich.status,
    handshake: rich.status.handshake && richHandshake(rich.status.handshake),
    health: { round_trip: 41.2, at: Date.now() - 90_000, missed: 2 },
  };
}

function lostConnection(now: 'under way' | null): ConnectionStatus {
  const report: FailureReport = {
    failure: {
      kind: 'network',
      stage: 'tcp',
      url: 'https://mcp.example.com/mcp',
      status: null,
      message: 'The connection was reset.',
      body: null,
    },
    reason: 'connection reset',
    hint: { text: 'Sightglass connects again by itself.', action: 'reconnect' },
  };
  const reconnection = { attempt: 3, reason: 'connection reset', waiting: now ? 1 : 4 };
  if (!now) {
    return {
      ...failed('initializing', report),
      reconnection: { ...reconnection, next_try: Date.now() + 8_000 },
    };
  }
  const started = Date.now() - 1_400;
  return {
    ...disconnected(),
    phase: 'initializing',
    since: started,
    connection: 7,
    timeline: [
      phaseRecord('connecting', started - 40, 40, null),
      phaseRecord('initializing', started, null, null, 'initialize'),
    ],
    reconnection: { ...reconnection, next_try: null },
  };
}

/** A package runner that downloads before it starts. */
function coldStart(): ConnectionStatus {
  const started = Date.now() - 23_000;
  return {
    ...disconnected(),
    phase: 'initializing',
    since: started,
    connection: 8,
    timeline: [
      phaseRecord('connecting', started - 60, 60, 'started process 51220'),
      phaseRecord('initializing', started, null, 'probing server/discover', 'server/discover'),
    ],
    output: [
      'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.',
      'npm http fetch GET 200 https://registry.npmjs.org/@acme%2fheavy-mcp 412ms (cache miss)',
      'npm http fetch GET 200 https://registry.npmjs.org/puppeteer/-/puppeteer-24.1.0.tgz 8211ms',
    ],
    steps: [
      {
        transport: 'stdio',
        what: 'server/discover',
        outcome: 'running',
        summary: null,
        started,
        duration: null,
      },
    ],
  };
}

function foundByFallback(): Pick<ConnectionStatus, 'steps' | 'known_endpoint'> {
  const started = Date.now() - 61_000;
  return {
    steps: [
      {
        transport: 'http',
        what: 'server/discover',
        outcome: 'failed',
        summary: 'HTTP 405 Method Not Allowed',
        started,
        duration: 38.4,
      },
      {
        transport: 'http',
        what: 'initialize',
        outcome: 'failed',
        summary: 'HTTP 405 Method Not Allowed, so an older server may be behind it',
        started: started + 39,
        duration: 36.1,
      },
      {
        transport: 'sse',
        what: 'GET',
        outcome: 'succeeded',
        summary: 'messages go to /messages?session=7f3a',
        started: started + 76,
        duration: 52.9,
      },
      {
        transport: 'web_socket',
        what: 'initialize',
        outcome: 'superseded',
        summary: null,
        started: started + 76,
        duration: null,
      },
    ],
    known_endpoint: { endpoint: 'b3f1', transport: 'sse', era: 'legacy' },
  };
}

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"%3E%3Crect width="24" height="24" rx="5" fill="%23287"/%3E%3Cpath d="M5 17l5-10 4 7 2-3 3 6z" fill="white"/%3E%3C/svg%3E';

function richHandshake(handshake: HandshakeResult): HandshakeResult {
  return {
    ...handshake,
    era: 'modern',
    protocol_version: '2026-07-28',
    server_title: 'Maps of the world',
    server_description: 'Routes, places and distances, from open data and updated each week.',
    icons: [
      { source: ICON, theme: null },
      { source: 'https://maps.example.com/icon-dark.png', theme: 'dark' },
    ],
  };
}

const UNTRUSTED: FailureReport = {
  failure: {
    kind: 'certificate_refused',
    url: 'https://localhost:8443/mcp',
    fault: 'self_signed',
    message: 'The certificate was signed by itself, so nobody vouches for it.',
    chain: [
      {
        subject: 'CN=localhost',
        issuer: 'CN=localhost',
        names: ['localhost', '127.0.0.1'],
        not_before: Date.UTC(2026, 0, 1),
        not_after: Date.UTC(2027, 0, 1),
        fingerprint:
          '3B:0A:94:51:0C:7E:C1:5D:88:21:F0:11:A4:3C:6E:D9:57:40:BB:02:9E:77:18:CD:65:AF:30:12:44:E8:9B:F6',
      },
    ],
  },
  reason: 'certificate not trusted',
  hint: {
    text: 'If this server is yours, accept this one certificate for it, or name the file of its authority in the entry.',
    action: 'accept_certificate',
  },
};
