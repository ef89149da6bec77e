/** Texts of Config: its bar, its toolbar and the tab of a server. */
import { formatCount, formatQuantity } from '@/lib/format';

export const CONFIG = {
  title: 'Setup',
  client: 'Client',
  allClients: 'All clients',
  notFound: 'Not found here',
  servers: (count: number) => formatQuantity(count, 'server'),
  undo: (change: string | null) => (change ? `Undo: ${change}` : 'Undo'),
  redo: (change: string | null) => (change ? `Redo: ${change}` : 'Redo'),
  import: 'Import',
  add: 'Add server',
  filter: 'Filter configuration',
  filterHint: 'Filter servers',
  show: 'Show',
  all: 'All',
  attention: 'Needs attention',
  several: 'In several files',
  count: (count: number, total: number) =>
    count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`,
  back: 'Back to the servers',
  nothing: 'Nothing is selected',
  nothingHint: 'Select a server to see where it comes from, or a file to see its contents.',
  tried: 'Not in a file',
  triedHint: 'Save it from its Overview.',
  switches: 'Servers × clients',
  switchesHint: 'A switch for each client',
  builtIn: 'Built in',
  builtInHint:
    'This server is part of Sightglass; no file defines it. Other clients can use it with this command:',
} as const;

/** The notes that offer to take a change back, or to do it again. */
export const HISTORY = { undo: 'Undo', redo: 'Redo' } as const;
