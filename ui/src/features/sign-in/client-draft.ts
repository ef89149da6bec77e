import type { AuthSettings, SettingSecret } from '@/backend/bindings';
import { readScopes } from '@/lib/scopes';
import { addressProblem } from './draft';
import { CLIENT } from './texts';

/** The fields of the form that are addresses. */
const ADDRESSES = [
  'resource_metadata',
  'issuer',
  'server_metadata',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'client_metadata_url',
  'idp_issuer',
  'idp_token_endpoint',
] as const;

/** A redirect address on this computer, without user name, query and fragment. */
const LOOPBACK_REDIRECT =
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[^\s?#\\]*)?$/i;

export type AddressField = (typeof ADDRESSES)[number];

/** Source of the ID token of the identity provider. */
export type IdTokenSource = 'sign_in' | 'paste';

/** The content of the form, as text. */
export type ClientDraft = Record<AddressField, string> & {
  mode: AuthSettings['mode'];
  auth_method: AuthSettings['auth_method'];
  omit_resource: boolean;
  authorization_parameters: readonly { name: string; text: string }[];
  allow_missing_s256: boolean;
  allow_other_audience: boolean;
  client_id: string;
  key_id: string;
  scopes: string;
  redirect_uri: string;
  callback_port: string;
  bearer_variable: string;
  secret_headers: string;
  idp_client_id: string;
  id_token_source: IdTokenSource;
};

export function draftOf(settings: AuthSettings): ClientDraft {
  const text = (value: string | null) => value ?? '';
  return {
    mode: settings.mode,
    auth_method: settings.auth_method,
    omit_resource: settings.omit_resource ?? false,
    authorization_parameters: (settings.authorization_parameters ?? []).map(({ name, value }) => ({
      name,
      text: value,
    })),
    allow_missing_s256: settings.allow_missing_s256,
    allow_other_audience: settings.allow_other_audience,
    client_id: text(settings.client_id),
    key_id: text(settings.key_id),
    scopes: settings.scopes?.join(' ') ?? '',
    redirect_uri: text(settings.redirect_uri),
    callback_port: settings.callback_port === null ? '' : String(settings.callback_port),
    bearer_variable: text(settings.bearer_variable),
    secret_headers: settings.secret_headers.join(' '),
    idp_client_id: text(settings.idp_client_id),
    id_token_source:
      settings.idp_issuer === null && settings.idp_token_endpoint !== null ? 'paste' : 'sign_in',
    resource_metadata: text(settings.resource_metadata),
    issuer: text(settings.issuer),
    server_metadata: text(settings.server_metadata),
    authorization_endpoint: text(settings.authorization_endpoint),
    token_endpoint: text(settings.token_endpoint),
    registration_endpoint: text(settings.registration_endpoint),
    revocation_endpoint: text(settings.revocation_endpoint),
    client_metadata_url: text(settings.client_metadata_url),
    idp_issuer: text(settings.idp_issuer),
    idp_token_endpoint: text(settings.idp_token_endpoint),
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
  const rows = draft.authorization_parameters.map((row) => ({
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
  if (draft.authorization_parameters.some((_, index) => parameterProblem(draft, index))) {
    problems.authorization_parameters = CLIENT.invalidParameters;
  }
  const redirect = draft.redirect_uri.trim();
  if (redirect !== '' && !LOOPBACK_REDIRECT.test(redirect)) {
    problems.redirect_uri = CLIENT.invalidRedirect;
  }
  if (draft.mode === 'enterprise' && draft.id_token_source === 'sign_in') {
    if (draft.idp_issuer.trim() === '') problems.idp_issuer = CLIENT.missingIssuer;
    if (draft.idp_client_id.trim() === '') problems.idp_client_id = CLIENT.missingProviderClient;
  }
  const port = draft.callback_port.trim();
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)) {
    problems.callback_port = CLIENT.invalidPort;
  }
  return problems;
}

export function settingsOf(draft: ClientDraft): AuthSettings {
  const value = (text: string) => text.trim() || null;
  const scopes = readScopes(draft.scopes);
  return {
    mode: draft.mode,
    auth_method: draft.auth_method,
    omit_resource: draft.omit_resource,
    authorization_parameters: draft.authorization_parameters
      .filter(({ name, text }) => value(name) || value(text))
      .map(({ name, text }) => ({ name: name.trim(), value: text.trim() })),
    allow_missing_s256: draft.allow_missing_s256,
    allow_other_audience: draft.allow_other_audience,
    client_id: value(draft.client_id),
    key_id: value(draft.key_id),
    scopes: scopes.length > 0 ? scopes : null,
    redirect_uri: value(draft.redirect_uri),
    callback_port: draft.callback_port.trim() === '' ? null : Number(draft.callback_port),
    bearer_variable: value(draft.bearer_variable),
    secret_headers: readScopes(draft.secret_headers),
    idp_client_id: value(draft.idp_client_id),
    resource_metadata: value(draft.resource_metadata),
    issuer: value(draft.issuer),
    server_metadata: value(draft.server_metadata),
    authorization_endpoint: value(draft.authorization_endpoint),
    token_endpoint: value(draft.token_endpoint),
    registration_endpoint: value(draft.registration_endpoint),
    revocation_endpoint: value(draft.revocation_endpoint),
    client_metadata_url: value(draft.client_metadata_url),
    idp_issuer: draft.id_token_source === 'sign_in' ? value(draft.idp_issuer) : null,
    // A token endpoint that was entered may be another provider's.
    idp_token_endpoint: draft.id_token_source === 'paste' ? value(draft.idp_token_endpoint) : null,
  };
}

/** Tells one secret from another. */
export function secretKey(secret: SettingSecret): string {
  return secret.kind === 'header' ? `header ${secret.name}` : secret.kind;
}
