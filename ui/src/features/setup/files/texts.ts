/** Texts of a configuration file: its state, its facts, its backups. */

export const FILE = {
  openAt: (line: number) => `Open at line ${line}`,
  write: 'Write it',
  openText: 'Open as text',
  add: 'Add server here',
  problems: 'Problems',
  broken: 'None of its servers count until this is corrected. The other files still do.',
  title: 'File',
  path: 'Path',
  servers: 'Servers',
  section: 'Section',
  priority: 'Priority',
  writer: 'Written by',
  permissions: 'Permissions',
  versionControl: 'Version control',
  tracked: 'Tracked by git: shared',
  untracked: 'Not tracked',
  changedOutside: 'Changed outside',
  reveal: 'Show in file manager',
  states: {
    missing: 'No file yet',
    loaded: 'Read',
    broken: '✕ Broken',
    unreadable: '✕ Unreadable',
  },
  writers: {
    user: 'You',
    project: 'Everybody in the project',
    administrator: 'The administrator of this computer',
    program: 'The plugin that brings it',
  },
  readOnly: (writer: string) => `${writer}; Sightglass does not change it`,
} as const;

/** The rank of a file among those of its client, the first the one that wins. */
export function priority(rank: number, count: number): string {
  if (count === 1) return 'The only file of this client';
  if (rank === 1) return `Highest of ${count}`;
  return rank === count ? `Lowest of ${count}` : `${rank} of ${count}, 1 is the highest`;
}

export const BACKUPS = {
  title: 'Backups',
  none: 'None yet. Each change keeps the file as it was, and lists it here.',
  restore: 'Compare and restore',
} as const;
