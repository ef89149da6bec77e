import type {
  AuthSettings,
  AuthView,
  CheckView,
  Clause,
  GrantView,
  ServerId,
  StepExchange,
  StepKind,
  StepView,
  TokensView,
  VaultView,
} from '../bindings';

/** The deployment that the samples are about. */
export const RESOURCE = 'https://mcp.linear.app';
export const ISSUER = 'https://auth.linear.app/tenants/acme';
export const REDIRECT = 'http://127.0.0.1:49621/callback';

const CLAUSES = {
  resource: clause('RFC 9728, section 3.3', 'rfc9728#section-3.3'),
  issuer: clause('RFC 8414, section 3.3', 'rfc8414#section-3.3'),
  pkce: clause('RFC 7636, section 4.2', 'rfc7636#section-4.2'),
  registration: clause('RFC 7591, section 3.2.1', 'rfc7591#section-3.2.1'),
  state: clause('RFC 6749, section 10.12, and RFC 9700, section 4.7', 'rfc9700#section-4.7'),
  iss: clause('RFC 9207, section 2.4', 'rfc9207#section-2.4'),
  audience: clause('RFC 9068, section 4', 'rfc9068#section-4'),
  scope: clause('RFC 6749, section 5.1', 'rfc6749#section-5.1'),
  lifetime: clause('RFC 7519, section 4.1.4', 'rfc7519#section-4.1.4'),
};

function clause(title: string, at: string): Clause {
  return { title, url: `https://www.rfc-editor.org/rfc/${at}` };
}

function passed(subject: string, value: string, of: Clause | null): CheckView {
  return { subject, expected: value, actual: value, verdict: 'passed', clause: of };
}

interface Sample {
  method?: string;
  url: string;
  status: number;
  takes: number;
  chosen?: boolean;
  remark?: string;
  headers?: string[];
  form?: string;
  json?: unknown;
  answer?: unknown;
  answerHeaders?: string[];
}

function exchange(sample: Sample): StepExchange {
  const { method = 'GET', url, status, takes, chosen = false, remark = null } = sample;
  const { host, pathname, search } = new URL(url);
  const body = sample.form ?? (sample.json === undefined ? '' : JSON.stringify(sample.json));
  const type = sample.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const request = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    'accept: application/json',
    ...(sample.headers ?? []),
    ...(body === '' ? [] : [`content-type: ${type}`]),
    '',
    body,
  ];
  const answer = sample.answer === undefined ? '' : JSON.stringify(sample.answer);
  const response = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    'cache-control: no-store',
    ...(sample.answerHeaders ?? []),
    '',
    answer,
  ];
  return {
    // Numbered once it is on record.
    exchange: 0,
    method,
    url,
    status,
    duration: takes,
    chosen,
    remark,
    request: request.join('\n'),
    response: response.join('\n'),
  };
}

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  revocation_endpoint: `${ISSUER}/revoke`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  authorization_response_iss_parameter_supported: true,
  scopes_supported: ['read', 'write', 'admin'],
};

export const ADDRESS = `${ISSUER}/authorize?${new URLSearchParams({
  response_type: 'code',
  client_id: 'c_8f2ba6e1',
  redirect_uri: REDIRECT,
  scope: 'read write',
  state: 'Vq4mN0sZ2kXbT1',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  resource: RESOURCE,
})}`;

/** What a program gets that sends the browser's answer before the browser does. */
export function sampleStray(): Partial<StepView> {
  return {
    summary:
      'An answer came that is not the one to our question: it belongs to another sign-in, or another program made it up. It was not used, and the right one is still awaited',
    checks: [
      {
        subject: 'state',
        expected: 'the one that was sent',
        actual: 'another one, so the answer was not used',
        verdict: 'failed',
        clause: CLAUSES.state,
      },
    ],
  };
}

/** What comes of a step when everything is as it should be. */
export function sampleStep(step: StepKind): Partial<StepView> {
  switch (step) {
    case 'challenge':
      return {
        summary: 'The server wants a token with the scopes read and write',
        exchanges: [
          exchange({
            method: 'POST',
            url: `${RESOURCE}/mcp`,
            status: 401,
            takes: 84,
            chosen: true,
            json: { jsonrpc: '2.0', id: 1, method: 'initialize' },
            answer: { error: 'invalid_token' },
            answerHeaders: [
              `www-authenticate: Bearer resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource", scope="read write"`,
            ],
          }),
        ],
      };
    case 'resource_metadata':
      return {
        summary: `Tokens come from ${ISSUER}`,
        exchanges: [
          exchange({
            url: `${RESOURCE}/.well-known/oauth-protected-resource/mcp`,
            status: 404,
            takes: 41,
            remark: 'with the path',
          }),
          exchange({
            url: `${RESOURCE}/.well-known/oauth-protected-resource`,
            status: 200,
            takes: 38,
            chosen: true,
            remark: 'from the challenge',
            answer: {
              resource: RESOURCE,
              authorization_servers: [ISSUER],
              scopes_supported: ['read', 'write', 'admin'],
            },
          }),
        ],
        checks: [passed('resource', RESOURCE, CLAUSES.resource)],
      };
    case 'server_metadata':
      return { summary: `${ISSUER} supports PKCE and registration`, ...serverMetadata(ISSUER) };
    case 'registration':
      return {
        summary: 'Registered as c_8f2ba6e1',
        exchanges: [
          exchange({
            method: 'POST',
            url: `${ISSUER}/register`,
            status: 201,
            takes: 118,
            chosen: true,
            json: {
              client_name: 'Sightglass',
              redirect_uris: [REDIRECT],
              grant_types: ['authorization_code', 'refresh_token'],
              application_type: 'native',
              token_endpoint_auth_method: 'none',
            },
            answer: { client_id: 'c_8f2ba6e1', token_endpoint_auth_method: 'none' },
          }),
        ],
        checks: [passed('redirect_uris', REDIRECT, CLAUSES.registration)],
      };
    case 'authorization':
      return { summary: 'Opened auth.linear.app in the browser' };
    case 'callback':
      return {
        summary: 'The browser came back with a code',
        exchanges: [
          exchange({
            url: `${REDIRECT}?code=%E2%80%A2%E2%80%A2%E2%80%A2&state=Vq4mN0sZ2kXbT1&iss=${encodeURIComponent(ISSUER)}`,
            status: 200,
            takes: 1.4,
            chosen: true,
          }),
        ],
        checks: [
          passed('state', 'Vq4mN0sZ2kXbT1', CLAUSES.state),
          passed('iss', ISSUER, CLAUSES.iss),
        ],
      };
    case 'token':
      return {
        summary: 'A token for one hour, with read and write',
        exchanges: [
          exchange({
            method: 'POST',
            url: `${ISSUER}/token`,
            status: 200,
            takes: 96,
            chosen: true,
            form: `grant_type=authorization_code&code=%E2%80%A2%E2%80%A2%E2%80%A2&redirect_uri=${encodeURIComponent(REDIRECT)}&client_id=c_8f2ba6e1&code_verifier=%E2%80%A2%E2%80%A2%E2%80%A2&resource=${encodeURIComponent(RESOURCE)}`,
            answer: {
              access_token: '•••',
              token_type: 'Bearer',
              expires_in: 3600,
              refresh_token: '•••',
              scope: 'read write',
            },
          }),
        ],
        checks: [
          passed('scope', 'read write', CLAUSES.scope),
          passed('aud', RESOURCE, CLAUSES.audience),
        ],
      };
    case 'retry':
      return {
        summary: 'The server took the token',
        exchanges: [
          exchange({
            method: 'POST',
            url: `${RESOURCE}/mcp`,
            status: 200,
            takes: 61,
            chosen: true,
            headers: ['authorization: Bearer •••'],
            json: { jsonrpc: '2.0', id: 2, method: 'initialize' },
            answer: { jsonrpc: '2.0', id: 2, result: { protocolVersion: '2025-11-25' } },
          }),
        ],
      };
  }
}

/** The search for the metadata of the authorization server, whose answer names `issuer`. */
export function serverMetadata(issuer: string): Pick<StepView, 'exchanges' | 'checks'> {
  const { origin, pathname } = new URL(ISSUER);
  const isRight = issuer === ISSUER;
  return {
    exchanges: [
      exchange({
        url: `${origin}/.well-known/oauth-authorization-server${pathname}`,
        status: 404,
        takes: 52,
        remark: 'OAuth, path inserted',
      }),
      exchange({
        url: `${origin}/.well-known/openid-configuration${pathname}`,
        status: 404,
        takes: 47,
        remark: 'OpenID, path inserted',
      }),
      exchange({
        url: `${ISSUER}/.well-known/openid-configuration`,
        status: 200,
        takes: 63,
        chosen: isRight,
        remark: isRight ? 'OpenID, path appended' : 'OpenID, path appended · refused',
        answer: { ...METADATA, issuer },
      }),
    ],
    checks: [
      {
        subject: 'issuer',
        expected: ISSUER,
        actual: issuer,
        verdict: isRight ? 'passed' : 'failed',
        clause: CLAUSES.issuer,
      },
      passed('code_challenge_methods_supported', 'S256', CLAUSES.pkce),
    ],
  };
}

/** A grant that is good for a while. */
export function sampleGrant(account: string | null, minutes: number): GrantView {
  return {
    issuer: ISSUER,
    account,
    client_id: 'c_8f2ba6e1',
    registration: 'dynamic',
    resource: RESOURCE,
    scopes_requested: ['read', 'write', 'admin'],
    scopes_granted: ['read', 'write'],
    signed_in_at: Date.now() - 120_000,
    expires_at: Date.now() + minutes * 60_000,
    refreshable: true,
    revocable: true,
    kept_in: 'keychain',
  };
}

export function sampleTokens(
  identity: string,
  grant: GrantView,
  altered: string | null,
): TokensView {
  const seconds = (at: number | null) => Math.floor((at ?? 0) / 1000);
  const claims = {
    iss: ISSUER,
    sub: 'user_01HZX4',
    aud: RESOURCE,
    scope: grant.scopes_granted.join(' '),
    client_id: grant.client_id,
    iat: seconds(grant.signed_in_at),
    exp: seconds(grant.expires_at),
  };
  return {
    identity,
    access: {
      masked: 'eyJh…3fQ, 812 characters',
      header: JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: '2026-10' }, null, 2),
      claims: JSON.stringify(claims, null, 2),
      checks: [
        passed('aud', RESOURCE, CLAUSES.audience),
        passed('iss', ISSUER, CLAUSES.audience),
        {
          subject: 'exp',
          expected: 'later than now',
          actual: new Date(grant.expires_at ?? 0).toISOString(),
          verdict: 'passed',
          clause: CLAUSES.lifetime,
        },
        {
          subject: 'signature',
          expected: 'by a key of the issuer',
          actual: 'RS256, key 2026-10',
          verdict: 'skipped',
          clause: null,
        },
      ],
    },
    refresh: { masked: 'rt_9…x1, 43 characters', header: null, claims: null, checks: [] },
    id: {
      masked: 'eyJh…9Lw, 640 characters',
      header: JSON.stringify({ alg: 'RS256', kid: '2026-10' }, null, 2),
      claims: JSON.stringify({ iss: ISSUER, sub: 'user_01HZX4', email: grant.account }, null, 2),
      checks: [],
    },
    scopes_requested: grant.scopes_requested,
    scopes_granted: grant.scopes_granted,
    issued_at: grant.signed_in_at,
    expires_at: grant.expires_at,
    altered,
  };
}

/** The requests that follow when a token no longer serves: refused, renewed, taken. */
export function renewal(isRefused: boolean): StepExchange[] {
  const call = { jsonrpc: '2.0', id: 7, method: 'ping' };
  const refused = exchange({
    method: 'POST',
    url: `${RESOURCE}/mcp`,
    status: 401,
    takes: 44,
    headers: ['authorization: Bearer •••'],
    json: call,
    remark: 'with the token as it is',
    answer: { error: 'invalid_token' },
  });
  const renewed = exchange({
    method: 'POST',
    url: `${ISSUER}/token`,
    status: 200,
    takes: 88,
    form: 'grant_type=refresh_token&refresh_token=%E2%80%A2%E2%80%A2%E2%80%A2&client_id=c_8f2ba6e1',
    remark: 'refreshed',
    answer: { access_token: '•••', token_type: 'Bearer', expires_in: 3600, refresh_token: '•••' },
  });
  const taken = exchange({
    method: 'POST',
    url: `${RESOURCE}/mcp`,
    status: 200,
    takes: 39,
    chosen: true,
    headers: ['authorization: Bearer •••'],
    json: call,
    remark: 'with the new token',
    answer: { jsonrpc: '2.0', id: 7, result: {} },
  });
  return isRefused ? [refused, renewed, taken] : [renewed, taken];
}

/** Nothing is set by hand. */
export const NO_SETTINGS: AuthSettings = {
  mode: 'oauth',
  client_id: null,
  client_metadata_url: null,
  auth_method: null,
  key_id: null,
  scopes: null,
  callback_port: null,
  allow_missing_s256: false,
  allow_other_audience: false,
  resource_metadata: null,
  issuer: null,
  server_metadata: null,
  authorization_endpoint: null,
  token_endpoint: null,
  registration_endpoint: null,
  revocation_endpoint: null,
  bearer_variable: null,
  secret_headers: [],
  idp_token_endpoint: null,
  idp_client_id: null,
};

/** A keychain that is open. */
export function keychain(): VaultView {
  return {
    kind: 'keychain',
    label: 'Secret Service',
    path: null,
    can_move_to: 'file',
    problem: null,
    waiting_since: null,
  };
}

/** How a server stands to which nobody has signed in. */
export function sampleView(server: ServerId, url: string): AuthView {
  return {
    server,
    url,
    origin: new URL(url).origin,
    withheld: [],
    mode: 'oauth',
    status: { kind: 'signed_out' },
    identity: 'default',
    identities: [{ name: 'default', grant: null, problem: null }],
    vault: keychain(),
    attempt: null,
  };
}
