/** Texts of Setup: its bar, the toolbar of a client’s files and the definition of a server. */
import { formatCount, formatQuantity } from '@/lib/format';

export const SETUP = {
  title: 'Setup',
  meaning: 'which client has which server, and from which file',
  client: 'Client',
  pages: 'What to show of the client',
  files: 'Files',
  gets: 'What it gets',
  notFound: 'Not found here',
  servers: (count: number) => formatQuantity(count, 'server'),
  undo: (change: string | null) => (change ? `Undo: ${change}` : 'Undo'),
  redo: (change: string | null) => (change ? `Redo: ${change}` : 'Redo'),
  import: 'Import…',
  add: 'Add server',
  filter: 'Filter this client’s servers',
  filterHint: 'Filter servers',
  show: 'Show',
  kinds: { all: 'All', attention: 'Needs attention', several: 'In several files' },
  count: (count: number, total: number) =>
    count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`,
  toServers: 'Back to the servers',
  nothing: 'Nothing is selected',
  nothingHint: 'Select a server to see where it comes from, or a file to see its contents.',
  tried: 'Not in a file',
  triedHint: 'Save it from its Overview.',
  builtIn: 'Built in',
  builtInHint:
    'This server is part of Sightglass; no file defines it. Other clients can use it with this command:',
} as const;

/** The notes that offer to take a change back, or to do it again. */
export const HISTORY = { undo: 'Undo', redo: 'Redo' } as const;
