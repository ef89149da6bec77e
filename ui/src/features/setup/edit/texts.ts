/** Texts of the editor of a server: its form, its text, what keeps it from being saved. */

export const EDITOR = {
  back: 'Back',
  editAs: 'Edit as',
  form: 'Form',
  text: 'Text',
  readOnly: 'Read-only',
  notSaved: '● Not saved',
  discard: 'Discard',
  review: 'Review change',
  keepEditing: 'Keep editing',
  discardAndBack: 'Discard and go back',
  unsaved: 'Your changes are not saved yet.',
  reload: 'Reload from disk',
  keepMine: 'Keep my version',
  changedOutside:
    'Another program changed this file while you edited it. Saving shows both before anything is overwritten.',
  unreadable: 'The text cannot be read as a server at present. Once it can, the form follows it.',
  textOf: (path: string | undefined) => `Text of ${path ?? 'the file'}`,
  newFile: 'The file does not exist yet; what you write here creates it.',
  problems: 'Problems of the text',
  valid: (format: string) => `Valid ${format}`,
} as const;

export const FORM = {
  name: 'Name',
  kind: 'Kind of server',
  command: 'Command',
  url: 'URL',
  protocol: 'Protocol',
  foundAt: 'Found at',
  pasteHint: 'A whole command line or an address can be pasted here.',
  arguments: 'Arguments',
  argument: 'Argument',
  environment: 'Environment',
  variable: 'Variable',
  directory: 'Working directory',
  projectFolder: 'The project’s folder',
  headers: 'Headers',
  header: 'Header',
  transport: 'Transport',
} as const;

export const ERAS = {
  auto: ['Auto', '2026-07-28 first, then the older revisions'],
  modern: ['Modern', 'Only 2026-07-28'],
  legacy: ['Legacy', 'Only up to 2025-11-25'],
} as const;

export const TRANSPORTS = {
  auto: ['Auto', 'Streamable HTTP, then Server-Sent Events'],
  http: ['HTTP', 'Streamable HTTP only'],
  sse: ['SSE', 'HTTP with Server-Sent Events, of 2024-11-05'],
  webSocket: ['WebSocket', 'Subprotocol mcp'],
} as const;

export const CERTIFICATES = {
  title: 'Certificates',
  authorities: 'Certificate authorities',
  ofSystem: 'The system’s',
  authoritiesHint: 'Extra root certificates (PEM file), in addition to the system’s.',
  pinned: 'Pinned certificate',
  anyValid: 'Any valid one',
  pinnedHint: 'SHA-256 fingerprint of the only certificate to accept.',
} as const;

export const LIMITS = {
  title: 'Limits',
  titleWithTools: 'Limits and tools',
  start: 'Start within',
  call: 'Answer a call within',
  byDefault: 'Default',
  seconds: 'Seconds',
  phases: 'Limits of single phases',
  phase: 'Phase limit',
  phaseHint: 'Phase, such as listing_tools',
  allow: 'Only these tools',
  allowed: 'Allowed tool',
  deny: 'Never these tools',
  denied: 'Denied tool',
} as const;

export const SIGN_IN = {
  title: 'Signing in',
  way: 'Way',
  ways: {
    auto: ['As the server asks', 'You sign in with your browser (OAuth)'],
    bearer: ['Fixed token', 'From an environment variable'],
    off: ['Never', 'HTTP 401 is a failure like any other'],
  },
  discovered: 'Empty fields are discovered, and the client is registered, when you sign in.',
  clientId: 'Client ID',
  registered: 'Registered when you sign in',
  scopes: 'Scopes',
  asAsked: 'Those that the server asks for',
  port: 'Callback port',
  anyPort: 'Any free one',
  metadata: 'Client ID Metadata Document',
  tokenVariable: 'Variable with the token',
  tokenHint: 'Its value is sent with every request and written to no file.',
  keychain: 'A token or a client secret can be kept in the secret storage instead of this file.',
  openAuth: 'Open Sign-in',
} as const;

/** Errors of fields. */
export const INVALID = {
  seconds: 'Enter a number of seconds.',
  name: 'Give the server a name.',
  command: 'Enter the program to start.',
  url: 'Enter the server’s address.',
  port: 'Enter a port from 1 to 65535.',
  variable: 'Enter the name of a variable, such as API_TOKEN.',
} as const;
