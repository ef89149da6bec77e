/*
 * An MCP server of the `initialize` era that is right but for one detail. The first argument says
 * which, the second over what: `stdio`, or `http`, where it prints `port N` once it listens.
 *
 *   cursor-empty      every page has the same tools and the cursor ""
 *   cursor-refused    the same, but the cursor is refused
 *   cursor-same       every page has the same tools and the cursor "again"
 *   cursor-last       the second and last page has other tools and the cursor that led to it
 *   cursor-new        every page has the same tools and a cursor of its own
 *   page-refused      the second page is refused
 *   id                answers have another id than the request: "1.0" for 1
 *   id-of-calls       the same for calls of tools alone
 *   null-error        results come with `"error": null`
 *   unnamed           requests without a User-Agent are refused; tools tell the one they came with
 *   stream-401        requests need no token, the stream of events does
 *   stream-404        there is a session, and no stream of events
 *   session-401       calls of tools are refused with 401 and `Session not found`
 *   endpoint-404      HTTP with Server-Sent Events behind a gateway that adds a prefix to paths
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [detail, transport] = process.argv.slice(2);
const tool = (name) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } });
const refusal = { error: { code: -32602, message: 'no such cursor' } };

function page(cursor) {
  const result = { tools: [tool('one'), tool('two')] };
  switch (detail) {
    case 'cursor-empty':
      return { result: { ...result, nextCursor: '' } };
    case 'cursor-refused':
      return cursor === undefined ? { result: { ...result, nextCursor: '' } } : refusal;
    case 'cursor-same':
      return { result: { ...result, nextCursor: 'again' } };
    case 'cursor-last':
      if (cursor === 'p2') return { result: { tools: [tool('three')], nextCursor: 'p2' } };
      return { result: { ...result, nextCursor: 'p2' } };
    case 'cursor-new':
      return { result: { ...result, nextCursor: `${Number(cursor ?? 0) + 1}` } };
    case 'page-refused':
      return cursor === undefined ? { result: { ...result, nextCursor: 'p2' } } : refusal;
    default:
      return { result };
  }
}

function outcome({ method, params }, agent) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: detail, version: '1' },
        },
      };
    case 'tools/list':
      return page(params?.cursor);
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: agent ?? 'done' }] } };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: -32601, message: `no ${method}` } };
  }
}

function answer(message, agent) {
  const { id, method } = message;
  const isOther = detail === 'id' || (detail === 'id-of-calls' && method === 'tools/call');
  const said = outcome(message, agent);
  const error = detail === 'null-error' && said.result ? { error: null } : {};
  return JSON.stringify({ jsonrpc: '2.0', id: isOther ? `${id}.0` : id, ...said, ...error });
}

async function read(request) {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text);
}

function refuse(response, status, text) {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

const notFound =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found"}}';

function listen(request, response) {
  const isStream = detail === 'endpoint-404' && request.url === '/gateway/sse';
  if (isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.write('event: endpoint\ndata: /messages?sessionId=1\n\n');
  }
  if (detail === 'stream-401') return refuse(response, 401, '{"error":"no token"}');
  return response.writeHead(detail === 'stream-404' ? 404 : 405).end();
}

async function handle(request, response) {
  const agent = request.headers['user-agent'];
  if (detail === 'unnamed' && !agent) return response.writeHead(403).end('Forbidden');
  if (request.method === 'GET') return listen(request, response);
  if (request.method !== 'POST') return response.writeHead(405).end();
  if (detail === 'endpoint-404') return response.writeHead(404).end('no route');
  const message = await read(request);
  if (message.id === undefined) return response.writeHead(202).end();
  if (detail === 'session-401' && message.method === 'tools/call') {
    return refuse(response, 401, notFound);
  }
  const session = message.method === 'initialize' ? { 'mcp-session-id': 'of-one' } : {};
  response.writeHead(200, { 'content-type': 'application/json', ...session });
  return response.end(answer(message, agent));
}

if (transport === 'stdio') {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) console.log(answer(message));
  });
} else {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1', () => console.error(`port ${server.address().port}`));
}
