/*
 * An HTTP server that misbehaves, at each path in another way. Prints `port N` once it listens.
 * With two arguments, the files of a certificate and its key, it speaks TLS.
 *
 *   /mcp       does not: an MCP server of the `initialize` era that answers with JSON
 *   /429 …     answers with that status, and asks to be left alone for 17 seconds
 *   /circle    redirects to itself
 *   /dawdle    sends its body a byte a second
 *   /page      answers with a web page
 *   /gzip …    as /mcp, compressed though nobody asked for it; /deflate and /br in those ways
 *   /garbled   as /mcp, but calls of tools are answered with what only claims to be compressed
 *   /charset   as /mcp, says in which encoding, and begins with a byte order mark
 *   /stream    as /mcp, in event streams that use all that their format allows, byte by byte
 *   /empty     as /mcp, but calls of tools are answered with nothing
 *   /silent    accepts requests and says nothing
 *   /telltale  answers with 500 and repeats what it was sent in the header Authorization
 *   /locked    answers with 500 and JSON that is no JSON-RPC; /forbidden with 403 and a text
 *   /object    answers with 200 and JSON that is no JSON-RPC; /lock as /mcp, but calls as /locked
 *   /gossip    as /mcp, but calls of tools are answered as by /telltale
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const [certificate, key] = process.argv.slice(2);
const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

function answer({ id, method }) {
  const results = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'faulty', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'unharmed' }], said: 'Grüße 🙂' },
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

function lock(_request, response) {
  const headers = { 'content-type': 'application/json' };
  return response.writeHead(500, headers).end('{"error":"database is locked"}');
}

function tell(request, response) {
  return response.writeHead(500).end(`no such token: ${request.headers.authorization}`);
}

async function speak(request, response, headers, encode, call) {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const message = await read(request);
  if (call && message.method === 'tools/call') return call(request, response);
  if (message.id === undefined) return response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  return response.end(encode(answer(message)));
}

// WHATWG HTML, section 9.2.5: a byte order mark, comments, lines that end in CR alone, fields
// without a space, data on several lines.
async function stream(request, response) {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const message = await read(request);
  if (message.id === undefined) return response.writeHead(202).end();
  const text = answer(message).replace(',', ',\rdata:');
  const events = `\ufeff: hello\revent: message\rid:7\rdata: ${text}\r\r`;
  response.writeHead(200, { 'content-type': 'text/event-stream;charset=UTF-8' });
  response.socket.setNoDelay(true);
  for (const byte of Buffer.from(events)) {
    response.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  return response.end();
}

function handle(request, response) {
  const path = request.url.slice(1);
  switch (path) {
    case 'mcp':
      return speak(request, response, {}, (text) => text);
    case 'gzip':
    case 'deflate':
    case 'br':
      return speak(request, response, { 'content-encoding': path }, packers[path]);
    case 'garbled': {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const garble = () => response.writeHead(200, headers).end('not compressed at all');
      return speak(request, response, {}, (text) => text, garble);
    }
    case 'charset': {
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      return speak(request, response, headers, (text) => `\ufeff${text}`);
    }
    case 'stream':
      return stream(request, response);
    case 'empty': {
      const nothing = () => response.writeHead(200, { 'content-type': 'application/json' }).end();
      return speak(request, response, {}, (text) => text, nothing);
    }
    case 'circle':
      return response.writeHead(307, { location: '/circle' }).end();
    case 'page':
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Hello</title>');
    case 'telltale':
      return tell(request, response);
    case 'gossip':
      return speak(request, response, {}, (text) => text, tell);
    case 'locked':
      return lock(request, response);
    case 'lock':
      return speak(request, response, {}, (text) => text, lock);
    case 'forbidden':
      return response.writeHead(403).end('Host not allowed: 127.0.0.1');
    case 'object':
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"error":"database is locked"}');
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
