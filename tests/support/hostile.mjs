/*
 * An MCP server of the `initialize` era that floods and does not stop. Arguments: how it is
 * reached (`stdio`, `http`, `http-initialized`, `sse`, `ws`) and a file in which it takes down what happens. Over the
 * network it prints `port N` once it listens. Called, a tool does what its name says:
 *
 *   flood      answers, then sends log messages and questions for ever, whatever it is told;
 *              over http it does not answer, and floods the event stream of the response
 *   silence    over http: gives no answer, so that the call has to be cancelled
 *   questions  asks a thousand questions, and answers when nine hundred were refused
 *   unread     asks for a hundred thousand pings and reads no answer
 *   updates    announces 10,000 changes of one resource and one of each of 1,000, then answers
 *   events     over sse: sends an event of a megabyte that means nothing, then answers
 *   pings      over ws: sends a thousand pings, then answers
 *   end        over stdio: ends at once
 *
 * It takes subscriptions to resources for as long as the file is new, and refuses them when it is
 * started anew. Its list of tools is endless: each page has eight megabytes. Over http, the stream of events
 * that it offers ends after one event, and asks to be opened again at once; the response to
 * `notifications/cancelled` is a stream that floods for ever. So is, for `http-initialized`, the
 * response to `notifications/initialized`.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [transport, log, size] = process.argv.slice(2);
const isFirst = !existsSync(log);
const note = (line) => appendFileSync(log, `${line}\n`);
const filler = 'x'.repeat(Number(size ?? 0));
let pages = 0;
let refused = 0;
let whenRefused = () => {};
// The server does not end when it is asked to.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => note(signal));

const notification = (method, params) => JSON.stringify({ jsonrpc: '2.0', method, params });
const question = (id) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: `q${id}`,
    method: 'elicitation/create',
    params: { message: 'Who are you?', requestedSchema: { type: 'object', properties: {} } },
  });

/** Sends for ever. */
function flood(send) {
  let number = 0;
  setInterval(() => {
    for (let count = 0; count < 20; count += 1) {
      number += 1;
      send(notification('notifications/message', { level: 'info', data: `more ${number}` }));
    }
    send(question(`flood${number}`));
  }, 5);
}

function call(name, { send, extra, pause }, answer) {
  switch (name) {
    case 'flood':
      answer();
      flood(send);
      return;
    case 'end':
      process.exit(3);
      return;
    case 'questions':
      whenRefused = () => refused === 900 && answer();
      for (let id = 0; id < 1000; id += 1) send(question(id));
      return;
    case 'unread':
      pause();
      for (let id = 0; id < 100_000; id += 1) {
        send(JSON.stringify({ jsonrpc: '2.0', id: `p${id}`, method: 'ping' }));
      }
      return;
    case 'updates': {
      const update = (uri) => send(notification('notifications/resources/updated', { uri }));
      for (let count = 0; count < 10_000; count += 1) update('test://same');
      for (let count = 0; count < 1_000; count += 1) update(`test://${count}`);
      answer();
      return;
    }
    default:
      extra();
      answer();
  }
}

/** Deals with one message. */
function hear(text, connection) {
  const { id, method, params, error } = JSON.parse(text);
  const answer = (result) => connection.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
  switch (method) {
    case undefined:
      if (error?.code === -32000) {
        refused += 1;
        note(`refused ${error.message}`);
        whenRefused();
      }
      return;
    case 'initialize':
      return answer({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      });
    case 'tools/list': {
      pages += 1;
      note(`page ${pages}`);
      const tool = { name: `tool ${pages}`, inputSchema: { type: 'object' }, x: filler };
      return answer({ tools: [tool], nextCursor: filler === '' ? undefined : `${pages}` });
    }
    case 'resources/subscribe':
      if (isFirst) return answer({});
      break;
    case 'tools/call':
      return call(params.name, connection, () =>
        answer({ content: [{ type: 'text', text: params.name }] }),
      );
  }
  if (id !== undefined) {
    const missing = { code: -32601, message: `no ${method}` };
    connection.send(JSON.stringify({ jsonrpc: '2.0', id, error: missing }));
  }
}

function overStdio() {
  note(`pid ${process.pid}`);
  const lines = createInterface({ input: process.stdin });
  const connection = {
    send: (text) => process.stdout.write(`${text}\n`),
    pause: () => lines.pause(),
    extra: () => {},
  };
  lines.on('line', (line) => hear(line, connection));
  // Also not when its input ends.
  setInterval(() => {}, 1000);
}

async function body(request) {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

const EVENTS = { 'content-type': 'text/event-stream' };
const eventOf = (response) => (text) => response.write(`data: ${text}\n\n`);

async function overHttp(request, response) {
  if (request.method === 'GET') {
    note(`get ${Date.now()}`);
    const said = notification('notifications/message', { level: 'info', data: 'again' });
    response.writeHead(200, EVENTS).end(`id: 1\nretry: 0\ndata: ${said}\n\n`);
    return;
  }
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const text = await body(request);
  const { id, method, params } = JSON.parse(text);
  const floods =
    method === 'notifications/cancelled' ||
    (method === 'notifications/initialized' && transport === 'http-initialized') ||
    params?.name === 'flood';
  if (floods) {
    response.writeHead(200, EVENTS);
    response.on('close', () => note('closed'));
    flood((message) => response.destroyed || eventOf(response)(message));
    return;
  }
  if (params?.name === 'silence') {
    note('called');
    return;
  }
  if (id === undefined || method === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json' });
  const connection = { send: (answer) => response.end(answer), extra() {}, pause() {} };
  hear(text, connection);
}

let stream;

async function overServerSentEvents(request, response) {
  if (request.method === 'GET') {
    stream = response;
    response.on('close', () => note('closed'));
    response.writeHead(200, EVENTS).write('event: endpoint\ndata: /messages\n\n');
    return;
  }
  const text = await body(request);
  response.writeHead(202).end();
  hear(text, {
    send: (message) => stream.destroyed || eventOf(stream)(message),
    extra: () => stream.write(`event: nonsense\ndata: ${'y'.repeat(1 << 20)}\n\n`),
    pause() {},
  });
}

/** RFC 6455, as far as an honest client and a server that ignores a close need it. */
function overWebSocket(request, socket) {
  const magic = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(magic).digest('base64');
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n`,
  );
  const frame = (code, payload) => {
    if (socket.destroyed) return;
    const head = Buffer.alloc(payload.length < 126 ? 2 : 10);
    head[0] = 0x80 | code;
    head[1] = payload.length < 126 ? payload.length : 127;
    if (payload.length >= 126) head.writeBigUInt64BE(BigInt(payload.length), 2);
    socket.write(Buffer.concat([head, payload]));
  };
  const connection = {
    send: (text) => frame(1, Buffer.from(text)),
    extra: () => {
      for (let count = 0; count < 1000; count += 1) frame(9, Buffer.from(`${count}`));
    },
    pause() {},
  };
  let waiting = Buffer.alloc(0);
  socket.on('data', (data) => {
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      if (waiting.length < 2) return;
      let length = waiting[1] & 0x7f;
      let start = 2;
      if (length === 126) {
        length = waiting.length < 4 ? Number.POSITIVE_INFINITY : waiting.readUInt16BE(2);
        start = 4;
      }
      if (waiting.length < start + 4 + length) return;
      const mask = waiting.subarray(start, start + 4);
      const masked = waiting.subarray(start + 4, start + 4 + length);
      const payload = Buffer.from(masked.map((byte, index) => byte ^ mask[index % 4]));
      if ((waiting[0] & 0x0f) === 1) hear(payload.toString(), connection);
      waiting = waiting.subarray(start + 4 + length);
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => note('closed'));
}

if (transport === 'stdio') {
  overStdio();
} else {
  const handle = transport === 'sse' ? overServerSentEvents : overHttp;
  const server = createServer(handle);
  server.on('upgrade', overWebSocket);
  server.listen(0, '127.0.0.1', () => console.error(`port ${server.address().port}`));
}
