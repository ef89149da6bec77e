import type { AuthSettings, SettingSecret } from '@/backend/bindings';
import { readScopes } from '@/lib/scopes';
import { addressProblem } from './draft';
import { CLIENT } from './texts';

/** The fields of the form that are addresses. */
const ADDRESSES = [
  'resourceMetadata',
  'issuer',
  'serverMetadata',
  'authorizationEndpoint',
  'tokenEndpoint',
  'registrationEndpoint',
  'revocationEndpoint',
  'clientMetadataUrl',
  'idpIssuer',
  'idpTokenEndpoint',
] as const;

/** A redirect address on this computer, without user name, query and fragment. */
const LOOPBACK_REDIRECT =
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[^\s?#\\]*)?$/i;

export type AddressField = (typeof ADDRESSES)[number];

/** Source of the ID token of the identity provider. */
export type IdTokenSource = 'signIn' | 'paste';

/** The content of the form, as text. */
export type ClientDraft = Record<AddressField, string> & {
  mode: AuthSettings['mode'];
  authMethod: AuthSettings['authMethod'];
  omitResource: boolean;
  authorizationParameters: readonly { name: string; text: string }[];
  allowMissingS256: boolean;
  allowOtherAudience: boolean;
  clientId: string;
  keyId: string;
  scopes: string;
  redirectUri: string;
  callbackPort: string;
  bearerVariable: string;
  secretHeaders: string;
  idpClientId: string;
  idTokenSource: IdTokenSource;
};

export function draftOf(settings: AuthSettings): ClientDraft {
  const text = (value: string | null) => value ?? '';
  return {
    mode: settings.mode,
    authMethod: settings.authMethod,
    omitResource: settings.omitResource ?? false,
    authorizationParameters: (settings.authorizationParameters ?? []).map(({ name, value }) => ({
      name,
      text: value,
    })),
    allowMissingS256: settings.allowMissingS256,
    allowOtherAudience: settings.allowOtherAudience,
    clientId: text(settings.clientId),
    keyId: text(settings.keyId),
    scopes: settings.scopes?.join(' ') ?? '',
    redirectUri: text(settings.redirectUri),
    callbackPort: settings.callbackPort === null ? '' : String(settings.callbackPort),
    bearerVariable: text(settings.bearerVariable),
    secretHeaders: settings.secretHeaders.join(' '),
    idpClientId: text(settings.idpClientId),
    idTokenSource:
      settings.idpIssuer === null && settings.idpTokenEndpoint !== null ? 'paste' : 'signIn',
    resourceMetadata: text(settings.resourceMetadata),
    issuer: text(settings.issuer),
    serverMetadata: text(settings.serverMetadata),
    authorizationEndpoint: text(settings.authorizationEndpoint),
    tokenEndpoint: text(settings.tokenEndpoint),
    registrationEndpoint: text(settings.registrationEndpoint),
    revocationEndpoint: text(settings.revocationEndpoint),
    clientMetadataUrl: text(settings.clientMetadataUrl),
    idpIssuer: text(settings.idpIssuer),
    idpTokenEndpoint: text(settings.idpTokenEndpoint),
  };
}

/** Parameters that Sightglass sets itself. The backend refuses some more. */
const RESERVED_PARAMETERS = new Set([
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);

/** Returns the error of one parameter of the authorization request. */
export function parameterProblem(draft: ClientDraft, index: number): string | undefined {
  const rows = draft.authorizationParameters.map((row) => ({
    name: row.name.trim().toLowerCase(),
    text: row.text.trim(),
  }));
  const row = rows[index];
  if (!row || (row.name === '' && row.text === '')) return undefined;
  if (RESERVED_PARAMETERS.has(row.name)) return CLIENT.reservedParameter(row.name);
  if (!/^[\w.-]+$/.test(row.name)) return CLIENT.invalidParameter;
  if (row.text === '') return CLIENT.emptyParameter;
  const isRepeated = rows.slice(0, index).some(({ name }) => name === row.name);
  return isRepeated ? CLIENT.repeatedParameter : undefined;
}

/** Returns the errors, by field. */
export function draftProblems(draft: ClientDraft): Partial<Record<keyof ClientDraft, string>> {
  const problems: Partial<Record<keyof ClientDraft, string>> = {};
  for (const field of ADDRESSES) {
    const value = draft[field].trim();
    const problem = value === '' ? undefined : addressProblem(value);
    if (problem) problems[field] = problem;
  }
  if (draft.authorizationParameters.some((_, index) => parameterProblem(draft, index))) {
    problems.authorizationParameters = CLIENT.invalidParameters;
  }
  const redirect = draft.redirectUri.trim();
  if (redirect !== '' && !LOOPBACK_REDIRECT.test(redirect)) {
    problems.redirectUri = CLIENT.invalidRedirect;
  }
  if (draft.mode === 'enterprise' && draft.idTokenSource === 'signIn') {
    if (draft.idpIssuer.trim() === '') problems.idpIssuer = CLIENT.missingIssuer;
    if (draft.idpClientId.trim() === '') problems.idpClientId = CLIENT.missingProviderClient;
  }
  const port = draft.callbackPort.trim();
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)) {
    problems.callbackPort = CLIENT.invalidPort;
  }
  return problems;
}

export function settingsOf(draft: ClientDraft): AuthSettings {
  const value = (text: string) => text.trim() || null;
  const scopes = readScopes(draft.scopes);
  return {
    mode: draft.mode,
    authMethod: draft.authMethod,
    omitResource: draft.omitResource,
    authorizationParameters: draft.authorizationParameters
      .filter(({ name, text }) => value(name) || value(text))
      .map(({ name, text }) => ({ name: name.trim(), value: text.trim() })),
    allowMissingS256: draft.allowMissingS256,
    allowOtherAudience: draft.allowOtherAudience,
    clientId: value(draft.clientId),
    keyId: value(draft.keyId),
    scopes: scopes.length > 0 ? scopes : null,
    redirectUri: value(draft.redirectUri),
    callbackPort: draft.callbackPort.trim() === '' ? null : Number(draft.callbackPort),
    bearerVariable: value(draft.bearerVariable),
    secretHeaders: readScopes(draft.secretHeaders),
    idpClientId: value(draft.idpClientId),
    resourceMetadata: value(draft.resourceMetadata),
    issuer: value(draft.issuer),
    serverMetadata: value(draft.serverMetadata),
    authorizationEndpoint: value(draft.authorizationEndpoint),
    tokenEndpoint: value(draft.tokenEndpoint),
    registrationEndpoint: value(draft.registrationEndpoint),
    revocationEndpoint: value(draft.revocationEndpoint),
    clientMetadataUrl: value(draft.clientMetadataUrl),
    idpIssuer: draft.idTokenSource === 'signIn' ? value(draft.idpIssuer) : null,
    // A token endpoint that was entered may be another provider's.
    idpTokenEndpoint: draft.idTokenSource === 'paste' ? value(draft.idpTokenEndpoint) : null,
  };
}

/** Tells one secret from another. */
export function secretKey(secret: SettingSecret): string {
  return secret.type === 'header' ? `header ${secret.name}` : secret.type;
}
