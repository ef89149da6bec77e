/** All texts of the settings. */
import type { FolderTrustView, ProtocolChoice } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';

export const SETTINGS = {
  title: 'Settings',
  done: 'Done',
  wholeNumber: 'Enter a whole number from 1 up.',
  seconds: 'seconds',
  choose: 'Choose…',
  chooseFor: (label: string) => `Choose a file: ${label}`,
  withUnit: (label: string, unit: string) => `${label} (${unit})`,
};

export const APPEARANCE = {
  title: 'Appearance',
  theme: 'Theme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  zoom: 'Zoom',
  percent: (size: number) => `${size} %`,
  results: 'Text results',
  markdown: 'Show as Markdown at first',
};

export const RECORD = {
  title: 'Record',
  days: 'Keep for',
  daysUnit: 'days',
  size: 'Keep at most',
  message: 'Largest message',
  sizeUnit: 'MiB',
  meaning:
    'The oldest messages are removed first. A larger message is refused; the traffic shows that.',
};

export const CONNECTIONS = {
  title: 'Connections',
  background: 'In the background',
  notify: 'Notify me of failures and questions',
  idle: 'Idle servers',
  ping: 'Ping servers that are idle',
  interval: 'After silence of',
  intervalUnit: 'seconds',
  meaning:
    'A ping measures the latency and notices when a server is gone. Pings are recorded in the traffic.',
  byDefault: 'default',
  defaultsMeaning:
    'Protocol and limits count for servers whose entry says nothing else. A server’s own connection settings come first.',
};

export const CALLS = {
  title: 'Calls',
  confirm: 'Confirm destructive calls',
  confirmThem: 'Ask before a tool is called that declares itself destructive',
  meaning:
    'Calls of a server can also be held to the rules of a client: under In clients, Permissions. What a rule denies is never sent.',
};

export const PROTOCOL = {
  label: 'Protocol',
  name: (protocol: ProtocolChoice): string => {
    switch (protocol) {
      case 'auto':
        return 'Automatic';
      case 'initialize':
        return 'Up to 2025-11-25';
      case '2026-07-28':
        return '2026-07-28 only';
      default:
        return `${protocol} only`;
    }
  },
  detail: (protocol: ProtocolChoice): string | undefined => {
    switch (protocol) {
      case 'auto':
        return '2026-07-28 where the server speaks it, else an older revision';
      case 'initialize':
        return 'The legacy generation: offers 2025-11-25 and takes what the server answers';
      case '2026-07-28':
        return 'The modern generation';
      default:
        return undefined;
    }
  },
};

export const SERVER = {
  title: (name: string) => `Connection settings of ${name}`,
  meaning:
    'Kept by Sightglass for this project, in no client’s file. They win over the server’s entry.',
  discard: 'Discard',
  save: 'Save',
  saved: 'Saved. It counts from the next connection on.',
  saveAndReconnect: 'Save and reconnect',
  connecting: 'Connection',
  asConfigured: 'As its entry or the settings say',
  start: 'Start limit',
  call: 'Call limit',
  noLimit: 'by phase',
  client: 'Client',
  name: 'Name',
  version: 'Version',
  ownVersion: 'own',
  capabilities: 'Declares',
  messages: 'Messages',
  recordThem: 'Keep them in the record',
  recordMeaning:
    'Otherwise their texts stay in memory until Sightglass ends, and arguments are not remembered. Method, size and time are on record all the same.',
  certificate: 'Client certificate (mTLS)',
  certificateFile: 'Certificate',
  keyFile: 'Private key',
  none: 'none',
  certificateMeaning:
    'PEM files; the key without a password. Shown to its present address alone, when that asks for one.',
};

export const NETWORK = {
  title: 'Network',
  proxy: 'Proxy',
  environment: 'HTTPS_PROXY and HTTP_PROXY',
  exceptions: 'Without proxy',
  authorities: 'Certificate authorities (PEM)',
  ofSystem: 'those of the system',
  meaning:
    'For servers, signing in and the registry. The authorities count beside those of the system.',
};

export const MODELS = {
  title: 'Models',
  meaning:
    'For Ask a model, under In clients, and for rules that let a model answer questions of servers. Nothing is sent by itself.',
  hasKey: 'key kept',
  noKey: 'no key',
  add: 'Add model…',
  remove: 'Remove',
  removeNamed: (name: string) => `Remove the model ${name}`,
  name: 'Name',
  kind: 'Interface',
  url: 'Address',
  model: 'Model',
  key: 'Key',
  keyMeaning: 'Kept in the secret storage for this address. A model on this machine needs none.',
  cancel: 'Cancel',
  save: 'Add',
};

export const FOLDER = {
  title: 'Folder',
  trust: 'Trust folder',
  distrust: 'Stop trusting',
  state: ({ answer, isHome }: FolderTrustView): string => {
    if (isHome) return 'Trusted, because it is your home directory. Servers start in it.';
    return answer === 'trusted'
      ? 'Trusted. Servers start in it, and its files can change what they do.'
      : 'Not trusted. Servers of the project do not start, nor do yours that use the folder. The others start in an empty directory.';
  },
};

export const ABOUT = {
  title: 'About',
  version: 'Version',
  data: 'Data',
  record: 'Record',
  log: 'Log',
  bundles: 'Bundles',
  removeBundles: 'Remove unused bundles…',
  showLog: 'Show log',
  messages: (count: number, size: string) => `${formatQuantity(count, 'message')}, ${size} on disk`,
};
