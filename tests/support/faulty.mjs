/*
 * An HTTP server that misbehaves, at each path in another way. Prints `port N` once it listens.
 * With two arguments, the files of a certificate and its key, it speaks TLS.
 *
 *   /mcp       does not: an MCP server of the `initialize` era that answers with JSON
 *   /429 …     answers with that status, and asks to be left alone for 17 seconds
 *   /circle    redirects to itself
 *   /dawdle    sends its body a byte a second
 *   /page      answers with a web page
 *   /gzip      as /mcp, compressed though nobody asked for it
 *   /silent    accepts requests and says nothing
 *   /telltale  answers with 500 and repeats what it was sent in the header Authorization
 *   /gossip    as /mcp, but calls of tools are answered as by /telltale
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { gzipSync } from 'node:zlib';

const [certificate, key] = process.argv.slice(2);

function answer({ id, method }) {
  const results = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'faulty', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'unharmed' }] },
    ping: {},
  };
  const result = results[method];
  const said = result ? { result } : { error: { code: -32601, message: `no ${method}` } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...said });
}

async function read(request) {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? {} : JSON.parse(text);
}

function tell(request, response) {
  return response.writeHead(500).end(`no such token: ${request.headers.authorization}`);
}

async function speak(request, response, headers, encode, gossips = false) {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const message = await read(request);
  if (gossips && message.method === 'tools/call') return tell(request, response);
  if (message.id === undefined) return response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  return response.end(encode(answer(message)));
}

function handle(request, response) {
  const path = request.url.slice(1);
  switch (path) {
    case 'mcp':
      return speak(request, response, {}, (text) => text);
    case 'gzip':
      return speak(request, response, { 'content-encoding': 'gzip' }, gzipSync);
    case 'circle':
      return response.writeHead(307, { location: '/circle' }).end();
    case 'page':
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Hello</title>');
    case 'telltale':
      return tell(request, response);
    case 'gossip':
      return speak(request, response, {}, (text) => text, true);
    case 'silent':
      return undefined;
    case 'dawdle': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const dripping = setInterval(() => response.write(' '), 1000);
      response.on('close', () => clearInterval(dripping));
      return response.write('{"jsonrpc"');
    }
    default:
      return response.writeHead(Number(path), { 'retry-after': '17' }).end('busy');
  }
}

const server = certificate
  ? createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) }, handle)
  : createServer(handle);
server.listen(0, '127.0.0.1', () => console.error(`port ${server.address().port}`));
