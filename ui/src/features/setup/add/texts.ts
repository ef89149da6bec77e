import { formatQuantity, listOf } from '@/lib/format';

/** Texts of the dialogs that add and import servers. */

export const PASTE = 'Paste';

/** The servers that the clipboard holds, their names between backticks. */
export function clipboardOffer(names: readonly string[]): string {
  return names.length <= 3
    ? `The clipboard holds ${listOf(names.map((name) => `\`${name}\``))}.`
    : `The clipboard holds ${formatQuantity(names.length, 'server')}.`;
}

/** Variables that nobody has given a value. */
export function missingValues(names: readonly string[]): string {
  const variables = listOf(names.map((name) => `\${${name}}`));
  return names.length === 1
    ? `${variables} has no value here or in your environment. The server does not start without it.`
    : `${variables} have no values here or in your environment. The server does not start without them.`;
}

/** Counts the servers found, and those whose name is taken. */
export function foundCounts(all: number, taken: number): string {
  const servers = formatQuantity(all, 'server');
  if (taken === 0) return servers;
  return `${servers}: ${all - taken} new, ${formatQuantity(taken, 'name')} taken`;
}

export const NAME_IS_TAKEN = 'name is taken';
export const WHERE_TAKEN = 'Where the name is taken:';

export const NO_SERVER = 'No server recognised in this text';

/** The kind of the text that was pasted. */
export const recognised = (what: string) => `Recognised: ${what}`;

export const waysToOne = (count: number) => `One server, with ${count} ways to use it`;

export const ADD = {
  title: 'Add server',
  save: 'Save',
  saveAndConnect: 'Save and connect',
  tryIt: 'Connect without saving',
  from: 'Add from',
  text: 'Paste or type',
  registry: 'Registry',
  bundle: 'Bundle (.mcpb)',
  local: 'Local network',
  pasteField: 'Paste anything',
  pasteHint:
    'A JSON or TOML snippet, a command line, a URL, an install link, server.json, an npm or PyPI package',
  changeHint: 'What changes in the file shows here before it is written.',
  savedIn: 'Saved in',
  name: 'Name',
  allFields: 'All fields',
  nothingToUse:
    'This version names no package and no address that can be used from here. Choose another version, or follow its documentation and paste what it says.',
  found: 'Servers found',
  way: 'Use it by',
} as const;

/** Values that a server needs from the user. */
export const INPUTS = {
  title: 'Values it needs',
  chooseOne: 'Choose one',
  onePerLine: 'One per line.',
  noNumber: 'This is not a number.',
  atLeast: (minimum: number) => `The least is ${minimum}.`,
  atMost: (maximum: number) => `The most is ${maximum}.`,
  fromEnvironment: (name: string) => `\${${name}} from your environment`,
  written: 'Stored in the file. Safer: keep it in the secret storage, or leave it empty.',
  kept: 'It is kept in the secret storage.',
} as const;

/** Variables that a server of somebody else's asks for. */
export const ENVIRONMENT = {
  title: 'Variables of your environment',
  hint: 'A variable that is not ticked is not read. Its default is used; without one, enter a value above.',
} as const;

/** The places for the secrets among them. */
export const SECRETS = {
  title: 'Keep secrets in',
  keychain: 'The secret storage',
  file: 'The file',
  reference:
    'The entry refers to them as ${secret:NAME}, and Sightglass puts them in when it starts the server.',
  inFile: 'They are written as plain text. Every program of yours can read them there.',
  foreign: (client: string) =>
    `${client} reads this file and does not know Sightglass’s secret storage. Choose the file, or save the server in one of Sightglass’s own files.`,
  shared: (clients: readonly string[]) =>
    `${listOf(clients)} ${clients.length === 1 ? 'reads' : 'read'} this file too and ${clients.length === 1 ? 'does' : 'do'} not know Sightglass’s secret storage: the server gets its secrets from Sightglass alone.`,
} as const;

/** Unpacked bundles that no entry uses. */
export const UNUSED = {
  title: 'Remove unused bundles',
  label: 'Unused bundles',
  none: 'Every unpacked bundle is used by an entry, or there is none.',
  meaning:
    'No configuration file of this project, or of a project that was opened before, names them. Undo brings them back until Sightglass is closed.',
  remove: 'Remove',
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  removed: (count: number) => `Removed ${formatQuantity(count, 'bundle')}.`,
} as const;

export const IMPORT = {
  title: 'Import from other clients',
  verb: (count: number) => `Import ${formatQuantity(count, 'server')}`,
  hint: 'Choose servers; what they change shows here before it is written.',
  into: 'Into',
  twice: 'same name twice',
  none: 'No other client defines a server',
  noneHint:
    'The files of the clients that Sightglass knows do not exist on this computer, or define none.',
  all: (count: number) => `All ${count}`,
} as const;

export const BUNDLE = {
  hint: 'The manifest of an .mcpb bundle is read and shown first. Nothing in the bundle is unpacked or run until you save it.',
  choose: 'Choose a bundle…',
  path: 'Path of the bundle',
  pathHint: 'or enter its path',
  read: 'Read',
  label: 'Bundle',
  other: 'Choose another…',
  file: 'File',
  author: 'By',
  homepage: 'Home page',
  platforms: 'Runs on',
  tools: 'Tools',
  prompts: 'Prompts',
  onlyRead: 'Only the manifest was read. Nothing in the bundle was unpacked or run.',
  onSave: (files: string, size: string) => `Save unpacks ${files} (${size}) and starts nothing.`,
  ofRegistry: 'The MCPB bundle',
  address: 'Address',
  downloadHint:
    'The bundle is downloaded, compared with this hash, and read. Nothing in it is unpacked or run until you save it.',
  download: 'Download and read',
  downloading: 'Downloading…',
  hash: 'SHA-256',
  directory: 'Unpacked into',
  manifest: 'Manifest',
} as const;

/** Servers that are announced on the local network. */
export const LOCAL = {
  hint: 'Servers can announce themselves by mDNS (_mcp._tcp). Looking asks the local network once, for 3 seconds; no server is contacted.',
  look: 'Look on the local network',
  again: 'Look again',
  looking: 'Looking…',
  servers: 'Announced servers',
  count: (count: number) =>
    `${formatQuantity(count, 'server')} announced. Anybody on the network can announce one.`,
  none: 'No server is announced',
  noneHint: 'A firewall or a guest network may keep announcements away. Paste the address instead.',
} as const;

export const REGISTRY = {
  repository: 'Repository',
  website: 'Website',
  results: 'Results',
  marked: (status: string) => `The registry marks this version as ${status}.`,
  version: 'Version',
  latest: (version: string) => `${version} (latest)`,
  published: (date: string) => `Published ${date}`,
  search: 'Search the MCP registry',
  searchHint: 'Search names and descriptions',
  asking: 'Asking the registry…',
  unreachable: 'The registry cannot be reached',
  noList: 'The registry gave no list',
  paste: 'Paste instead',
  retry: 'Try again',
  /** Around `server.json`. */
  without: [
    'A server can be added without the registry: paste its ',
    ', its package, its address, or the command line from its documentation.',
  ],
  servers: 'Servers of the registry',
  none: 'No server of that name',
  noneHint: 'The registry searches names only. Try a shorter part of it.',
  more: 'Show more',
  count: (count: number, hasMore: boolean) => {
    if (count === 0) return '';
    const servers = formatQuantity(count, 'server');
    return hasMore ? `The first ${servers}` : servers;
  },
} as const;
