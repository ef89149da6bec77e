import type { FrameId } from '../bindings';
import type { FakeWorld } from './world';

/** Fills the record with a little of everything. Returns the frame of an open elicitation. */
export function recordSample(world: FakeWorld): FrameId {
  const { record } = world;
  const filesystem = world.server('mcp-json:filesystem');
  const postgres = world.server('mcp-json:postgres');
  const memory = world.server('mcp-json:memory');
  const linear = world.server('mcp-json:linear');
  const now = Date.now();
  const begun = now - 60_000;

  for (let index = 0; index < 120; index += 1) {
    const at = begun + index * 180;
    if (index % 9 === 4) {
      record.begin({
        server: filesystem,
        at,
        kind: 'log',
        direction: 'received',
        method: 'notifications/message',
        target: `info: cache holds ${index} entries`,
        request: {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: `cache holds ${index} entries` },
        },
      });
      continue;
    }
    if (index % 11 === 7) {
      record.begin({
        server: postgres,
        at,
        kind: 'stderr',
        direction: 'received',
        method: 'stderr',
        target: `pool: ${index % 8} connections open`,
        request: `pool: ${index % 8} connections open`,
      });
      continue;
    }
    const row = record.begin({
      server: index % 3 === 0 ? memory : filesystem,
      at,
      method: 'tools/call',
      target: index % 3 === 0 ? 'read_graph' : 'read_text_file',
      request: {
        jsonrpc: '2.0',
        id: index,
        method: 'tools/call',
        params: { name: 'read_text_file', arguments: { path: `src/file-${index}.ts` } },
      },
    });
    record.settle(row, {
      outcome: 'ok',
      duration: 2 + ((index * 37) % 90),
      response: {
        jsonrpc: '2.0',
        id: index,
        result: { content: [{ type: 'text', text: 'export {};\n'.repeat(1 + (index % 40)) }] },
      },
    });
  }

  const query = record.begin({
    server: postgres,
    at: now - 9_000,
    method: 'tools/call',
    target: 'query',
    request: {
      jsonrpc: '2.0',
      id: 900,
      method: 'tools/call',
      params: { name: 'query', arguments: { sql: 'select * form users' } },
    },
  });
  record.settle(query, {
    outcome: 'error',
    code: -32602,
    duration: 12,
    response: {
      jsonrpc: '2.0',
      id: 900,
      error: { code: -32602, message: 'syntax error at or near "form"', data: { position: 10 } },
    },
  });

  const question = record.begin({
    server: filesystem,
    at: now - 8_000,
    direction: 'received',
    method: 'elicitation/create',
    target: 'Which workspace?',
    request: {
      jsonrpc: '2.0',
      id: 7,
      method: 'elicitation/create',
      params: { message: 'Which workspace should be searched?' },
    },
  });

  const search = record.begin({
    server: filesystem,
    at: now - 6_500,
    method: 'tools/call',
    target: 'search_files',
    request: {
      jsonrpc: '2.0',
      id: 901,
      method: 'tools/call',
      params: { name: 'search_files', arguments: { path: '/srv', pattern: '**/*.test.ts' } },
    },
  });
  record.settle(search, {
    outcome: 'ok',
    duration: 38.4,
    response: { jsonrpc: '2.0', id: 901, result: { content: [{ type: 'text', text: 'found 3' }] } },
  });

  const challenged = record.begin({
    server: linear,
    at: now - 5_900,
    kind: 'http',
    method: 'POST /mcp',
    target: 'initialize',
    request: { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} },
    http: {
      method: 'POST',
      url: 'https://mcp.linear.app/mcp',
      request_headers: [
        ['accept', 'application/json, text/event-stream'],
        ['content-type', 'application/json'],
      ],
      status: 401,
      response_headers: [
        ['content-type', 'application/json'],
        ['www-authenticate', 'Bearer realm="OAuth", error="invalid_token"'],
      ],
      error: null,
      time_to_headers: 176.4,
    },
  });
  record.settle(challenged, {
    outcome: 'error',
    code: 401,
    duration: 181,
    response: { error: 'invalid_token' },
  });

  record.begin({
    server: memory,
    at: now - 1_200,
    method: 'resources/read',
    target: 'memory://graph',
    request: {
      jsonrpc: '2.0',
      id: 902,
      method: 'resources/read',
      params: { uri: 'memory://graph' },
    },
  });
  return question.request_frame;
}
