/** All texts of signing in: the account, the steps, the token and the client. */
import type {
  AuthMode,
  ClientAuthMethod,
  GrantView,
  SignInExport,
  StepKind,
  StepState,
  TokenKind,
  VaultKind,
  VaultView,
  Verdict,
} from '@/backend/bindings';

import type { StatusLabel } from '@/components/Glyph';

export const TAB = {
  show: 'Show',
  account: 'Account',
  steps: 'Steps',
  token: 'Token',
  client: 'Client',
  notApproved: 'Not approved yet',
  notApprovedMeaning:
    'Nothing is sent to this server until you approve it under Overview. Then sign in here.',
  refused: 'Refused by policy',
  refusedMeaning: 'The managed policy on this computer refuses this server.',
  refusedKept:
    'The managed policy on this computer refuses this server, so nothing is sent to it. You can still sign out and remove what is kept for it.',
  invalid: 'Invalid entry',
  invalidMeaning: 'Correct it under Definition. Then you can sign in here.',
  noAddressMeaning:
    'This server is reached over the network, and its entry is not complete. Add what is missing under Overview. Then you can sign in here.',
  toOverview: 'Show in Overview',
  nothing: 'Nothing to sign in to',
  nothingMeaning:
    'This server is a program on this computer. Its credentials for other services come from its environment.',
};

export const ACCOUNT = {
  off: 'Sign-in is off',
  offMeaning:
    'Requests are sent as configured; a 401 is shown as a failure. Turn it on under Client.',
  fixedToken: 'A fixed token is sent',
  fixedTokenMeaning:
    'Every request carries the same token, so there is nothing to sign in to. Set it under Client.',
  whyNeeded: 'Why a sign-in is needed',
  address: 'Address',
  answer: 'Answer',
  status: (status: number) => `HTTP ${status}`,
  challenge: 'Challenge',
  noChallenge: 'none: no WWW-Authenticate header',
  again: 'You have to sign in again',
  keychain: 'Waiting for your keychain',
  keychainMeaning: (vault: string) =>
    `Your sign-in is stored in ${vault}, which is locked. Unlock it in the window that it opened. Nothing times out meanwhile.`,
  notSignedIn: 'Not signed in',
  notSignedInMeaning:
    'Sign in opens the sign-in page of this server in your browser. When you are done, you are connected here.',
  failed: 'The sign-in failed',
  showStep: 'Show the step',
};

export const GRANT = {
  title: 'Signed in',
  account: 'Account',
  noAccount: 'not given by the server',
  valid: 'Valid',
  noEnd: 'no expiry given',
  renewed: 'Renewed',
  byItself: 'automatically, shortly before it expires',
  bySigningIn: 'by signing in again (no refresh token)',
  scopes: 'Scopes',
  noScopes: 'none given',
  issuer: 'Issuer',
  resource: 'Resource',
  wider: 'Counts for',
  widerMeaning: (resource: string) => `all of ${resource}, not for this server alone`,
  client: 'Client',
  since: 'Since',
  noRevocation: (host: string) =>
    `${host} has no revocation endpoint: signing out removes the token here, but it stays valid there until it expires.`,
};

export const REGISTRATIONS: Record<GrantView['registration'], string> = {
  preRegistered: 'entered by you',
  metadataDocument: 'by its metadata document',
  dynamic: 'registered by Sightglass',
};

export const AGREEMENT = {
  first: 'Is this your authorization server?',
  other: 'Another authorization server',
  firstMeaning:
    'The client secret, key or assertion that you entered would be sent there. Agree only if your client is registered there. Nothing has been sent yet.',
  otherMeaning:
    'This server now names another authorization server than the one you agreed to. Agree only if you know that it has moved. Nothing has been sent there.',
  server: 'Server',
  names: 'Names',
  namesNow: 'Names now',
  agreedTo: 'Agreed to',
  /** Before the origin. */
  leadsTo: 'This leads to ',
  agree: 'Agree and sign in',
  agreeAndContinue: 'Agree and continue',
};

export const TWO_HOSTS = {
  title: 'Two hosts take part in this sign-in',
  meaning:
    'You sign in at one host, but the code from there would go to another. Whoever gets the code can use your account. Agree only if both hosts belong to the same authorization server. Nothing has been sent yet.',
  signIn: 'You sign in at',
  sendsTo: 'The code goes to',
};

export const WAITING = {
  keychain: 'Waiting for your keychain',
  keychainMeaning: (vault: string) =>
    `${vault} is locked. Unlock it in the window that it opened. Nothing times out meanwhile, and nothing is stored elsewhere.`,
  paused: 'Paused',
  pausedMeaning: 'Check the next request. Continue sends it unchanged.',
  signingIn: 'Signing in',
  signingInMeaning: 'Looking for the authorization server. Your browser opens next.',
  browser: 'Continue in your browser',
  opened: 'It opened ',
  signInThere: '. Sign in there and agree.',
  until: (moment: string) => ` Sightglass waits until ${moment}.`,
  openAgain: 'Open it again',
  noReturn: 'The browser cannot return by itself',
  pageError: (redirect: string) =>
    `If the page shows an error, nothing comes back here. If it no longer knows this client, restart from the registration under Steps. If it refuses the redirect URI, register a client there by hand with ${redirect}, and enter both under Client.`,
  elsewhere: 'Continue in any browser',
  elsewhereMeaning: 'Open this address in any browser, and sign in there.',
  copyAddress: 'Copy the address',
  copied: 'Copied the address.',
  pasted: 'Address at which the browser ended',
  pastedMeaning: (start: string) =>
    `The page there cannot be loaded, which is expected. Its address begins with ${start} and contains the code.`,
  finish: 'Finish',
};

export const WITHHELD = {
  notSent: 'Not sent to this server',
  notUsed: 'Not used for this server',
  send: (origin: string) => `Send it to ${origin}`,
  use: (origin: string) => `Use them for ${origin}`,
  enterAnother: 'Enter another',
  done: 'The next connection uses it.',
};

export const IDENTITIES = {
  title: 'Accounts',
  add: 'Add account',
  meaning:
    'The next connection uses the selected one. Under Tools, you can run a call as two accounts and compare.',
  notSignedIn: 'not signed in',
  inUse: 'In use',
  actions: (name: string) => `Actions for ${name}`,
  signInAgain: (name: string) => `Sign in again as ${name}`,
  signIn: (name: string) => `Sign in as ${name}`,
  signOut: (name: string) => `Sign out ${name}`,
  remove: (name: string) => `Remove ${name}`,
  name: 'Name of the account',
  examples: 'work, personal, admin',
  taken: 'This name is taken.',
  confirm: 'Add',
  cancel: 'Cancel',
};

export const SECRETS = {
  title: 'Secret storage',
  place: 'Place',
  file: 'File',
  moved: 'Moved all secrets.',
  locked: 'It is locked. Unlock it in the window that it opened. Nothing times out meanwhile.',
  placeOf: ({ kind, label, settled }: VaultView): string => {
    if (!settled) {
      return `Not chosen yet: ${label} is tried for the first secret. Where it does not work, a file that only you can read takes its place.`;
    }
    switch (kind) {
      case 'keychain':
        return `${label}, the keychain of this computer`;
      case 'file':
        return 'A file that only you can read';
      case 'memory':
        return 'Memory only: you are signed out when Sightglass closes';
    }
  },
};

export const MOVES: Record<VaultKind, string> = {
  keychain: 'Move to the keychain',
  file: 'Move to a file',
  memory: 'Keep in memory only',
};

export const STEPS_PAGE = {
  list: 'Steps',
  pauseEach: 'Pause before each step',
  pauseBefore: (step: string) => `Pause before ${step.toLowerCase()}`,
  copy: 'Copy',
  copyAll: 'Copy the sign-in',
};

export const EXPORTS: readonly { id: SignInExport; title: string; note: string }[] = [
  { id: 'text', title: 'Copy for a bug report', note: 'Copied the sign-in, without its secrets.' },
  { id: 'json', title: 'Copy as JSON', note: 'Copied the sign-in as JSON, without its secrets.' },
  { id: 'mermaid', title: 'Copy as a Mermaid diagram', note: 'Copied a sequence diagram.' },
  { id: 'curl', title: 'Copy every request as curl', note: 'Copied every request as curl.' },
];

/** The purpose of each step, for those who see it for the first time. */
export const STEP_PURPOSES: Record<StepKind, string> = {
  challenge: 'Asks the server without a token. Its 401 tells how to sign in.',
  resourceMetadata: 'Reads which authorization servers the server accepts tokens from.',
  serverMetadata: 'Reads the authorization server’s endpoints and what it supports.',
  registration: 'Registers Sightglass as a client, or uses an existing registration.',
  authorization: 'Opens your browser, where you sign in and agree.',
  callback: 'Receives the code with which the browser returns.',
  token: 'Exchanges the code for a token.',
  retry: 'Sends the refused request again, with the token.',
};

export const STEP_LABELS: Record<StepState, StatusLabel> = {
  pending: { glyph: '○', tone: 'idle', label: 'Not started' },
  running: { glyph: '◐', tone: 'busy', label: 'Running' },
  paused: { glyph: '‖', tone: 'warn', label: 'Paused' },
  done: { glyph: '✓', tone: 'ok', label: 'Done' },
  guessed: { glyph: '○', tone: 'warn', label: 'Guessed' },
  skipped: { glyph: '–', tone: 'idle', label: 'Not needed' },
  failed: { glyph: '✕', tone: 'bad', label: 'Failed' },
};

/** Words for verdicts that say more here than elsewhere. */
export const CHECK_VERDICTS: Partial<Record<Verdict, string>> = {
  warning: 'Tolerated',
  skipped: 'Not checked',
};

export const STEP = {
  label: 'Step',
  happens: 'What happens',
  next: 'Next request',
  happened: 'What happened',
  request: 'Request',
  response: 'Response',
  restart: 'Restart from here',
  addresses: 'Set the addresses by hand',
  clientId: 'Enter a client id',
  tried: 'Addresses tried',
  requests: 'Requests',
  checks: 'Checks',
  none: 'No sign-in has run yet. Step by step, you can check and change each request before it is sent. The diamond before a step pauses there only.',
  opened: 'Opened in the browser',
  parameters: 'Parameters of the address',
  copyCurl: 'Copy as curl',
  copiedCurl: 'Copied as curl.',
  showTraffic: 'Show in traffic',
  noAnswer: 'No answer.',
  used: 'used',
  noStatus: 'none',
};

export const CHECKS = {
  label: 'Checks',
  verdict: 'Verdict',
  checked: 'Checked',
  expected: 'Expected',
  actual: 'Actual',
  source: 'Specification',
};

export const MESSAGE = {
  headers: 'Headers',
  address: 'Parameters of the address',
  form: 'Parameters of the form',
  body: (label: string) => `Body of the ${label.toLowerCase()}`,
};

export const DRAFT = {
  method: 'Method',
  address: 'Address',
  headers: 'Headers',
  onePerLine: 'one per line',
  body: 'Body',
  secrets: 'Secrets are shown as •••. Left as they are, the real values are sent.',
  notAHeader: (line: string) => `“${line}” is not a header. Write each as Name: value.`,
  notAnAddress: 'This is not an address.',
  notHttp: 'Only http and https addresses can be used.',
};

export const TOKEN = {
  none: 'No token yet',
  noneMeaning: (identity: string) =>
    `Sign in as ${identity} to see the token’s claims, audience and scopes, and to test how the server treats an expired or changed token.`,
  kinds: 'Token',
  issuedAt: (moment: string) => `Issued at ${moment}. `,
  noEnd: 'No expiry given.',
  valid: (until: string | null) => `Valid ${until}.`,
  judged: 'Checked against this server',
  judgement: 'Checks of the token',
  reveal: 'Reveal',
  copy: 'Copy',
  copied: 'Copied the token.',
  hide: 'Hide',
  scopes: 'Scopes',
  noScopes: 'None requested, none granted.',
  scope: 'Scope',
  requested: 'Requested',
  granted: 'Granted',
  yes: '✓ yes',
  no: '– no',
  refused: '✕ no',
  contents: 'Contents',
  opaque: 'This token is opaque: only its issuer can read it.',
  opaqueRefresh: 'This token is opaque, like most refresh tokens: only its issuer can read it.',
  claims: 'Claims',
  header: 'Header',
};

export const TOKEN_KINDS: Record<TokenKind, string> = {
  access: 'Access token',
  refresh: 'Refresh token',
  id: 'ID token',
};

export const TRIALS = {
  title: 'Try',
  restore: 'Restore the token',
  refresh: 'Refresh now',
  refreshMeaning: 'Requests a new token',
  noRefresh: 'There is no refresh token',
  expire: 'Pretend it expired',
  expireMeaning: 'The next use renews it first',
  corrupt: 'Corrupt it',
  corruptMeaning: 'Changes one character',
  drop: (scope: string) => `Drop ${scope}`,
  dropScope: 'Drop a scope',
  scopeToDrop: 'Scope to drop',
  tooFewScopes: 'Needs at least two scopes',
  revoke: 'Revoke it',
  revokeMeaning: 'Revokes it, then uses it once more',
  noRevocation: 'There is no revocation endpoint',
  reactions: 'Reactions',
  running: (title: string) => `${title}…`,
  requests: (title: string) => `Requests of ${title.toLowerCase()}`,
};

export const MODES: readonly { value: AuthMode | 'auto'; label: string; detail: string }[] = [
  {
    value: 'auto',
    label: 'As the server asks',
    detail: 'You sign in, unless its entry has an Authorization header',
  },
  { value: 'oauth', label: 'Sign in', detail: 'You sign in with your browser (OAuth 2.1)' },
  { value: 'bearer', label: 'Fixed token', detail: 'Every request carries the same token' },
  {
    value: 'clientCredentials',
    label: 'Client credentials',
    detail: 'Sightglass signs in as itself, without a user',
  },
  {
    value: 'enterprise',
    label: 'Enterprise-managed',
    detail: 'Your company’s identity provider signs you in (ID-JAG)',
  },
  {
    value: 'workload',
    label: 'Workload identity',
    detail: 'The platform that Sightglass runs on identifies it',
  },
  { value: 'off', label: 'Off', detail: 'A 401 is shown as a failure' },
];

export const ID_TOKEN_SOURCES: readonly {
  value: 'signIn' | 'paste';
  label: string;
  detail: string;
}[] = [
  {
    value: 'signIn',
    label: 'Sign in at the identity provider',
    detail: 'In your browser (OpenID Connect)',
  },
  { value: 'paste', label: 'Paste it', detail: 'An ID token that you already have' },
];

export const METHODS: readonly {
  value: ClientAuthMethod | 'auto';
  label: string;
  detail?: string;
}[] = [
  { value: 'auto', label: 'As the server supports' },
  { value: 'none', label: 'None', detail: 'A public client, with PKCE only' },
  { value: 'client_secret_basic', label: 'Secret in the header', detail: 'client_secret_basic' },
  { value: 'client_secret_post', label: 'Secret in the form', detail: 'client_secret_post' },
  { value: 'private_key_jwt', label: 'Signed with a key', detail: 'private_key_jwt' },
];

export const CLIENT = {
  saved: 'Saved. The next sign-in uses it.',
  how: 'How to sign in',
  way: 'Way',
  scopes: 'Scopes',
  separated: 'separated by spaces',
  serverScopes: 'what the server asks for',
  redirect: 'Login redirect',
  redirectKind: 'redirect_uri',
  redirectExample: 'http://127.0.0.1/callback',
  redirectMeaning: 'For a client that is registered with a fixed address on this computer.',
  invalidRedirect:
    'Enter an http address on localhost, 127.0.0.1 or [::1], without user name, query and fragment.',
  port: 'Callback port',
  portHost: '127.0.0.1',
  anyPort: 'any free port',
  invalidPort: 'Enter a port from 1 to 65535.',
  request: 'Authorization request',
  resource: 'Send the resource parameter',
  resourceSent: 'It names this server, so that the token is for this server only (RFC 8707).',
  resourceOmitted:
    'Left out, for an authorization server that refuses it. The token may be valid at other servers too.',
  parameters: 'More parameters',
  parametersMeaning: 'For example audience, prompt, access_type or login_hint.',
  parameter: 'Parameter',
  parameterValue: 'Value',
  invalidParameters: 'Correct the parameters.',
  reservedParameter: (name: string) => `${name} is reserved: Sightglass sets it itself.`,
  invalidParameter: 'Use letters, digits, dots, hyphens and underscores in the name.',
  emptyParameter: 'Enter a value.',
  repeatedParameter: 'This parameter stands there twice.',
  variable: 'Environment variable',
  variableExample: 'MY_TOKEN',
  token: 'Token',
  title: 'Client',
  meaning:
    'Leave this empty to let Sightglass register itself. Fill it in if you have a client id.',
  id: 'Client ID',
  method: 'Client authentication',
  secret: 'Client secret',
  keyId: 'Key id',
  keyIdField: 'kid',
  privateKey: 'Private key',
  document: 'Client metadata document',
  documentKind: 'https address',
  documentMeaning:
    'A JSON document that you host, with http://127.0.0.1/callback in its redirect_uris. Servers that read it know Sightglass by its address, without registration.',
  provider: 'Identity provider',
  idTokenSource: 'ID token',
  providerIssuer: 'Issuer of the identity provider',
  issuerExample: 'https://login.example.com',
  missingIssuer: 'Enter the issuer.',
  missingProviderClient: 'Enter the client id that the identity provider gave you.',
  providerEndpoint: 'Token endpoint of the identity provider',
  providerClient: 'Client id there',
  providerSecret: 'Client secret there',
  idToken: 'Your ID token',
  platform: 'Platform',
  assertion: 'Signed assertion of the platform',
  endpoints: 'Endpoints by hand',
  endpointsMeaning:
    'For a server whose metadata is wrong or missing. Each replaces what discovery finds.',
  headers: 'Secret headers',
  headerNames: 'Names of headers',
  headerExample: 'X-Api-Key',
  headersMeaning:
    'Each gets a field for its value, which is stored with the other secrets and sent with every request.',
  unsafe: 'Unsafe',
  withoutPkce: 'Continue when the server does not declare PKCE with S256',
  withoutPkceRisk: 'without PKCE, anyone who gets the code can sign in as you.',
  otherAudience: 'Use a token that was made for another server',
  otherAudienceRisk: 'this server may get a token that is valid at another one.',
  risk: (why: string) => `Unsafe: ${why} Only for servers that you run yourself.`,
  notSaved: 'Not saved yet',
  keptFor: (origin: string) => `Stored for ${origin} only`,
  revert: 'Revert',
  save: 'Save',
  removedOnSave: 'removed when you save',
  storedIn: (place: string) => `stored in ${place}`,
  keep: 'Keep',
  remove: 'Remove',
};

export const PLACES: Record<VaultKind, string> = {
  keychain: 'your keychain',
  file: 'a file of yours',
  memory: 'memory',
};

export const ENDPOINTS = {
  resourceMetadata: 'Resource metadata',
  issuer: 'Issuer',
  serverMetadata: 'Server metadata',
  authorizationEndpoint: 'Authorization',
  tokenEndpoint: 'Token',
  registrationEndpoint: 'Registration',
  revocationEndpoint: 'Revocation',
};
