/** All texts of the settings. */
import type { FolderTrustView } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';

export const SETTINGS = {
  title: 'Settings',
  done: 'Done',
  wholeNumber: 'Enter a whole number from 1 up.',
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
  notify: 'Notify me of failures and requests',
  idle: 'Idle servers',
  ping: 'Ping servers that are idle',
  interval: 'After silence of',
  intervalUnit: 'seconds',
  meaning:
    'A ping measures the latency and notices when a server is gone. Pings are recorded in the traffic.',
};

export const FOLDER = {
  title: 'Folder',
  trust: 'Trust folder',
  distrust: 'Stop trusting',
  state: ({ answer, is_home: isHome }: FolderTrustView): string => {
    if (isHome) return 'Trusted, because it is your home directory. Servers start in it.';
    return answer === 'trusted'
      ? 'Trusted. Servers start in it, and its files can change what they do.'
      : 'Not trusted. Servers of the project do not start, and your own start in an empty directory.';
  },
};

export const ABOUT = {
  title: 'About',
  version: 'Version',
  data: 'Data',
  record: 'Record',
  messages: (count: number, size: string) => `${formatQuantity(count, 'message')}, ${size} on disk`,
};
