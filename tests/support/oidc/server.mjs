/*
 * An MCP server that only lets in whom `oidc-provider` vouches for: the TypeScript SDK's server
 * behind a certified authorization server, both as their authors wrote them.
 *
 * Options, as one JSON argument:
 *   lifetime   seconds that an access token is good for (3600)
 *   path       the path of the issuer, for instance "/tenants/acme" ("")
 *   client     a pre-registered client, as oidc-provider takes it; nobody else may register then
 *   documents  client metadata documents by their address, as a web server elsewhere would have
 *              them; nobody may register then
 *
 * Prints one line of JSON once it listens: { mcp, issuer, control }. POSTs to `control`:
 *   /revoke    withdraws every grant and every token
 *   /log       answers with what the authorization server was asked, as JSON
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Provider } from 'oidc-provider';

const { lifetime = 3600, path = '', client, documents } = JSON.parse(process.argv[2] ?? '{}');
const HOST = '127.0.0.1';

/** Everything that the authorization server keeps, by kind and id. */
const kept = new Map();
const asked = [];

/** What oidc-provider wants of a place to keep things; in memory, so that it can be emptied. */
class Memory {
  constructor(kind) {
    this.kind = kind;
  }
  key(id) {
    return `${this.kind}:${id}`;
  }
  async upsert(id, payload) {
    kept.set(this.key(id), payload);
  }
  async find(id) {
    return kept.get(this.key(id));
  }
  async findByUid(uid) {
    return this.some((payload) => payload.uid === uid);
  }
  async findByUserCode(code) {
    return this.some((payload) => payload.userCode === code);
  }
  async consume(id) {
    kept.get(this.key(id)).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    kept.delete(this.key(id));
  }
  async revokeByGrantId(grant) {
    for (const [key, { grantId }] of kept) if (grantId === grant) kept.delete(key);
  }
  some(matches) {
    for (const [key, payload] of kept) {
      if (key.startsWith(`${this.kind}:`) && matches(payload)) return payload;
    }
    return undefined;
  }
}

function listen(handler) {
  return new Promise((resolve) => {
    const server = createServer(handler);
    server.listen(0, HOST, () => resolve(`http://${HOST}:${server.address().port}`));
  });
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

let handleAuthorization;
const authorizationOrigin = await listen((request, response) => {
  asked.push({ method: request.method, url: request.url });
  // The issuer's path is where the provider lives: what is beside it does not exist.
  if (path !== '' && request.url !== path && !request.url.startsWith(`${path}/`)) {
    response.writeHead(404).end();
    return;
  }
  request.originalUrl = request.url;
  request.url = request.url.slice(path.length) || '/';
  handleAuthorization(request, response);
});
const issuer = `${authorizationOrigin}${path}`;

let handleMcp;
const origin = await listen((request, response) => handleMcp(request, response));
const resource = `${origin}/mcp`;
const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;

const provider = new Provider(issuer, {
  adapter: Memory,
  clients: client ? [client] : [],
  scopes: ['openid'],
  pkce: { required: () => true },
  ttl: { AccessToken: lifetime, Interaction: 600, Session: 3600, Grant: 3600, IdToken: 3600 },
  issueRefreshToken: async (_context, { grantTypes }) => grantTypes.includes('refresh_token'),
  cookies: { keys: [randomUUID()] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, email: `${id}@acme.example` }),
  }),
  claims: { openid: ['sub', 'email'] },
  conformIdTokenClaims: false,
  fetch: async (address) => {
    const document = documents?.[address];
    return document ? Response.json(document) : new Response(null, { status: 404 });
  },
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: client === undefined && documents === undefined },
    clientIdMetadataDocument: { enabled: documents !== undefined, ack: 'draft-02' },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'read admin',
        audience: resource,
        accessTokenTTL: lifetime,
        accessTokenFormat: 'opaque',
      }),
    },
  },
});
provider.on('server_error', (_context, error) => console.error(error));
handleAuthorization = provider.callback();

/** Makes the MCP server of one session. */
function mcpServer() {
  const server = new McpServer({ name: 'guarded', version: '1.0.0' });
  const tool = (name, description, words) =>
    server.registerTool(name, { description, inputSchema: {} }, async (_input, { authInfo }) => ({
      content: [{ type: 'text', text: words(authInfo) }],
    }));
  tool(
    'whoami',
    'Says who you are',
    ({ extra, scopes }) => `${extra.account} with ${scopes.join(' ')}`,
  );
  tool('administer', 'Wants the scope admin', ({ extra }) => `administered by ${extra.account}`);
  return server;
}

const sessions = new Map();

function refuse(response, status, parameters) {
  const challenge = Object.entries({ ...parameters, resource_metadata: metadata })
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');
  response.writeHead(status, { 'www-authenticate': `Bearer ${challenge}` }).end();
}

handleMcp = async (request, response) => {
  const { pathname } = new URL(request.url, origin);
  if (pathname === new URL(metadata).pathname) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['openid', 'read', 'admin'],
      }),
    );
    return;
  }
  if (pathname !== '/mcp') {
    response.writeHead(404).end();
    return;
  }
  const bearer = request.headers.authorization?.replace(/^Bearer /i, '');
  const token = bearer && (await provider.AccessToken.find(bearer));
  if (!token || token.isExpired || token.aud !== resource) {
    const error = bearer ? { error: 'invalid_token' } : {};
    refuse(response, 401, { ...error, scope: 'openid read' });
    return;
  }
  const scopes = (token.scope ?? '').split(' ').filter(Boolean);
  const text = await bodyOf(request);
  const message = text === '' ? undefined : JSON.parse(text);
  if (message?.params?.name === 'administer' && !scopes.includes('admin')) {
    refuse(response, 403, { error: 'insufficient_scope', scope: 'openid read admin' });
    return;
  }
  request.auth = {
    token: bearer,
    clientId: token.clientId,
    scopes,
    extra: { account: token.accountId },
  };
  const session = request.headers['mcp-session-id'];
  let transport = sessions.get(session);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await mcpServer().connect(transport);
  }
  await transport.handleRequest(request, response, message);
};

const control = await listen(async (request, response) => {
  if (request.url === '/revoke') {
    for (const key of kept.keys()) {
      if (/^(Grant|AccessToken|RefreshToken|Session):/.test(key)) kept.delete(key);
    }
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(asked));
});

process.stdout.write(`${JSON.stringify({ mcp: resource, issuer, control })}\n`);
