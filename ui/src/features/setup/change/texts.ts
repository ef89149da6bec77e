/** Texts of changes to configuration files: their dialogs, their differences, their conflicts. */
import { formatQuantity, listOf } from '@/lib/format';

export const CHANGE = {
  keepDisk: 'Keep what is on disk',
  writeMine: 'Write mine',
  applyToDisk: 'Apply to what is on disk',
  outside: 'Write outside this project',
  cancel: 'Cancel',
  undo: 'Undo',
  nothing: 'Nothing changes.',
  lost: 'Not everything comes along. This is left out:',
  creates: 'Creates',
  deletes: 'Deletes',
  disconnects: (servers: readonly string[]) => `disconnects ${listOf(servers)}`,
  deletesFiles: (files: readonly string[]) => `deletes ${listOf(files)}`,
  ends: (ends: readonly string[]) => `This ${listOf(ends)}.`,
  changes: 'Changes',
  does: (name: string) => `What ${name} does`,
  insteadDoes: (verb: string) => `What “${verb}” does`,
  /** Around the path. */
  leaves: ['Writes to ', ', outside this project: a link of the project leads there.'],
  diffOf: (file: string) => `Change of ${file}`,
  remaining: 'After the change the file still has these problems:',
} as const;

export const CONFLICT = {
  meanwhile: (files: number) =>
    `${files === 1 ? 'This file was' : 'These files were'} changed by another program after you looked. Nothing has been written.`,
  text: 'Text',
  difference: 'Difference',
  theirs: 'On disk now',
  mine: 'Yours',
  diffOf: (path: string) => `From disk to yours, ${path}`,
} as const;

export const RENAME = {
  title: (name: string) => `Rename ${name}`,
  verb: 'Rename',
  hint: 'Enter another name; the change shows here before it is written.',
  name: 'New name',
} as const;

/** An entry, or the commas of a file, with what mends them. */
export const REPAIR = {
  save: 'Save',
  connect: 'Save and connect',
  changed: 'The entry no longer says what was to be repaired. Edit it instead.',
} as const;

/** Changes that are looked at before they are written, by their action. */
export const REVIEW = {
  remove: {
    title: (what: string) => `Remove ${what}?`,
    verb: 'Remove',
    description: 'What was recorded stays, and this can be undone.',
  },
  disable: {
    title: (what: string) => `Disable ${what}`,
    verb: 'Disable',
    description: 'It stays in the file. Clients leave it out until it is enabled again.',
  },
  enable: { title: (what: string) => `Enable ${what}`, verb: 'Enable' },
  restore: {
    title: () => 'Restore this backup',
    verb: 'Restore',
    description: 'The file becomes what it was. Its present text is kept as a backup too.',
  },
  repair: {
    title: (what: string) => `Repair ${what}`,
    verb: 'Repair',
    description: 'Removes extra commas, adds missing ones; nothing else changes.',
  },
  undo: { title: (change: string) => `Undo: ${change}`, verb: 'Undo' },
  redo: { title: (change: string) => `Redo: ${change}`, verb: 'Redo' },
  other: { title: () => 'Review the change', verb: 'Save', description: undefined },
} as const;

export const REMOVAL = {
  names: (names: readonly string[]) =>
    names.length === 1 ? (names[0] ?? '') : formatQuantity(names.length, 'server'),
  from: (names: string, place: string) => `${names} from ${place}`,
  /** After the name of a server that is to be removed. */
  stays: (clients: readonly string[]) => `stays in ${listOf(clients)}.`,
  onlyCopy: 'is in no other file: this is the only copy.',
  /** After the file that defines the same server. */
  definesToo: (name: string) => `defines ${name} too; that definition counts from then on.`,
} as const;

export const TARGET = {
  choose: 'Choose a file',
  created: 'new file',
  ownAlone: 'Only in Sightglass',
  onlyYou: 'this project, only you',
  thisProject: 'this project',
  everyProject: 'every project',
  ofProject: (kind: string) => `${kind} of this project`,
  place: (who: string, where: string, path: string) => `${who}, ${where} – ${path}`,
  unreadable: 'Cannot be read at present',
} as const;

export const TRANSFER = {
  move: 'Move',
  copy: 'Copy',
  chooseConflict: 'Choose what happens with the name, then the change shows here.',
  chooseTarget: 'Choose where it goes; the change shows here before it is written.',
  to: 'To',
  name: 'Name there',
  from: (file: string) => `From ${file}`,
  mode: 'Move or copy',
  /** Around the name, or the number of names. */
  defines: ['defines', 'already.'],
  ofNames: (count: number) => `${count} of these names`,
  whenTaken: 'When the name is taken',
  replace: 'Replace it',
  keepBoth: 'Keep both',
  skip: 'Skip',
} as const;

/** One definition in several clients. */
export const SYNC = {
  title: (name: string) => `Copy ${name} to other clients`,
  verb: 'Copy',
  from: (file: string) => `Copy the definition of ${file} to:`,
  all: (count: number) => `All ${count} clients`,
  clients: 'Clients',
  scopeOf: (client: string, scope: string) => `${client}, ${scope.toLowerCase()}`,
  choose: 'Choose clients; what changes in each file shows here before it is written.',
  absent: 'not there yet',
  differs: 'another definition',
  same: 'the same',
} as const;
