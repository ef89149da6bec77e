/** Sign-ins as the backend shows them, for unit tests. */
import type { AuthSettings, AuthView, GrantView, ServerId } from '@/backend/bindings';

/** A grant that is good for a while. */
export function sampleGrant(account: string | null, minutes: number): GrantView {
  return {
    issuer: 'https://auth.linear.app/tenants/acme',
    account,
    client_id: 'c_8f2ba6e1',
    registration: 'dynamic',
    resource: 'https://mcp.linear.app',
    wider_resource: null,
    scopes_requested: ['read', 'write', 'admin'],
    scopes_granted: ['read', 'write'],
    signed_in_at: Date.now() - 120_000,
    expires_at: Date.now() + minutes * 60_000,
    refreshable: true,
    revocable: true,
    kept_in: 'keychain',
  };
}

/** Nothing is set by hand. */
export const NO_SETTINGS: AuthSettings = {
  mode: 'oauth',
  client_id: null,
  client_metadata_url: null,
  auth_method: null,
  key_id: null,
  scopes: null,
  redirect_uri: null,
  callback_port: null,
  omit_resource: false,
  authorization_parameters: [],
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
  idp_issuer: null,
  idp_token_endpoint: null,
  idp_client_id: null,
};

/** A server to which nobody has signed in. */
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
    vault: {
      kind: 'keychain',
      settled: true,
      label: 'Secret Service',
      path: null,
      can_move_to: 'file',
      problem: null,
      waiting_since: null,
    },
    attempt: null,
  };
}
