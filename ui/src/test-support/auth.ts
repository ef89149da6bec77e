/** Sign-ins as the backend shows them, for unit tests. */
import type { AuthSettings, AuthView, GrantView, ServerId } from '@/backend/bindings';

/** A grant that is good for a while. */
export function sampleGrant(account: string | null, minutes: number): GrantView {
  return {
    issuer: 'https://auth.linear.app/tenants/acme',
    account,
    clientId: 'c_8f2ba6e1',
    registration: 'dynamic',
    resource: 'https://mcp.linear.app',
    widerResource: null,
    scopesRequested: ['read', 'write', 'admin'],
    scopesGranted: ['read', 'write'],
    signedInAt: Date.now() - 120_000,
    expiresAt: Date.now() + minutes * 60_000,
    refreshable: true,
    revocable: true,
    keptIn: 'keychain',
  };
}

/** Nothing is set by hand. */
export const NO_SETTINGS: AuthSettings = {
  mode: 'oauth',
  clientId: null,
  clientMetadataUrl: null,
  authMethod: null,
  keyId: null,
  scopes: null,
  redirectUri: null,
  callbackPort: null,
  omitResource: false,
  authorizationParameters: [],
  allowMissingS256: false,
  allowOtherAudience: false,
  resourceMetadata: null,
  issuer: null,
  serverMetadata: null,
  authorizationEndpoint: null,
  tokenEndpoint: null,
  registrationEndpoint: null,
  revocationEndpoint: null,
  bearerVariable: null,
  secretHeaders: [],
  idpIssuer: null,
  idpTokenEndpoint: null,
  idpClientId: null,
};

/** A server to which nobody has signed in. */
export function sampleView(server: ServerId, url: string): AuthView {
  return {
    server,
    url,
    origin: new URL(url).origin,
    withheld: [],
    mode: 'oauth',
    status: { type: 'signedOut' },
    identity: 'default',
    identities: [{ name: 'default', grant: null, problem: null }],
    vault: {
      kind: 'keychain',
      settled: true,
      label: 'Secret Service',
      path: null,
      canMoveTo: 'file',
      problem: null,
      waitingSince: null,
    },
    attempt: null,
  };
}
