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

/** The settings that are texts, in a draft empty where the settings have none. */
const TEXTS = [
  ...ADDRESSES,
  'clientId',
  'keyId',
  'redirectUri',
  'bearerVariable',
  'idpClientId',
] as const;
type TextField = (typeof TEXTS)[number];

/** Source of the ID token of the identity provider. */
export type IdTokenSource = 'signIn' | 'paste';

/** The content of the form, as text. */
export type ClientDraft = Omit<Required<AuthSettings>, TextField | keyof WrittenFields> &
  Record<TextField, string> &
  WrittenFields & { idTokenSource: IdTokenSource };

/** Settings that the form has in other words. */
interface WrittenFields {
  scopes: string;
  callbackPort: string;
  secretHeaders: string;
  authorizationParameters: readonly { name: string; text: string }[];
}

function textsOf<Value>(of: (field: TextField) => Value): Record<TextField, Value> {
  return Object.fromEntries(TEXTS.map((field) => [field, of(field)])) as Record<TextField, Value>;
}

export function draftOf(settings: AuthSettings): ClientDraft {
  const { authorizationParameters = [], idpIssuer, idpTokenEndpoint } = settings;
  return {
    ...settings,
    ...textsOf((field) => settings[field] ?? ''),
    omitResource: settings.omitResource ?? false,
    authorizationParameters: authorizationParameters.map(({ name, value }) => ({
      name,
      text: value,
    })),
    scopes: settings.scopes?.join(' ') ?? '',
    callbackPort: settings.callbackPort === null ? '' : String(settings.callbackPort),
    secretHeaders: settings.secretHeaders.join(' '),
    idTokenSource: idpIssuer === null && idpTokenEndpoint !== null ? 'paste' : 'signIn',
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

export function settingsOf({ idTokenSource, ...draft }: ClientDraft): AuthSettings {
  const value = (text: string) => text.trim() || null;
  const scopes = readScopes(draft.scopes);
  const texts = textsOf((field) => value(draft[field]));
  return {
    ...draft,
    ...texts,
    authorizationParameters: draft.authorizationParameters
      .filter(({ name, text }) => value(name) || value(text))
      .map(({ name, text }) => ({ name: name.trim(), value: text.trim() })),
    scopes: scopes.length > 0 ? scopes : null,
    callbackPort: draft.callbackPort.trim() === '' ? null : Number(draft.callbackPort),
    secretHeaders: readScopes(draft.secretHeaders),
    idpIssuer: idTokenSource === 'signIn' ? texts.idpIssuer : null,
    // A token endpoint that was entered may be another provider's.
    idpTokenEndpoint: idTokenSource === 'paste' ? texts.idpTokenEndpoint : null,
  };
}

/** Tells one secret from another. */
export function secretKey(secret: SettingSecret): string {
  return secret.type === 'header' ? `header ${secret.name}` : secret.type;
}
