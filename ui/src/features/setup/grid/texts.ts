/** Texts of the grid of a client’s servers and files. */
import { listOf } from '@/lib/format';

/** Files that cannot be read. */
export const BROKEN = {
  cannotBeRead: (readers: readonly string[]) =>
    `cannot be read, so its servers are missing here. It is a file of ${listOf(readers)}.`,
  openAt: (line: number) => `Open at line ${line}`,
  title: 'No server can be listed',
  hint: 'Correct the file named above; it is read again when it is saved.',
} as const;

export const NO_ROWS = {
  noMatch: 'No server matches',
  showAll: 'Show all of them',
  searched: 'Names, states, commands and addresses are searched.',
  title: 'No server is defined',
  hint: 'None of these files defines one yet.',
  hintOf: (clients: readonly string[]) => `No file of ${listOf(clients)} defines one yet.`,
  add: 'Add server',
  import: 'Import from other clients',
} as const;

export const GRID = {
  label: 'Servers by file',
  server: 'Server',
  state: 'State',
  changed: 'changed',
  changedOutside: 'Changed outside Sightglass',
  notIn: (file: string) => `Not in ${file}`,
  withWarning: ', with a warning',
  noFile: 'no file',
  policy: (rules: number) =>
    rules === 1 ? 'One policy rule applies.' : `${rules} policy rules apply.`,
} as const;

/** States of a definition. */
export const DEFINITION = {
  winsHere: 'Counts here',
  definedHere: 'Defined here',
  shadowed: 'Shadowed',
  by: (file: string) => `by ${file}`,
  disabled: 'Disabled',
  refused: 'Refused by policy',
  invalid: (place: string) => `Invalid ${place}`,
  waiting: 'Needs approval',
  winsIn: (file: string, others: number) =>
    others > 0 ? `Counts in ${file}, shadows ${others}` : `Defined in ${file}`,
} as const;

/** Actions on a place of the grid. */
export const ACTION = {
  label: 'Actions',
  view: 'View',
  edit: 'Edit',
  text: 'Show in the text',
  move: 'Move to…',
  copy: 'Copy to…',
  rename: 'Rename…',
  enable: 'Enable',
  disable: 'Disable',
  export: 'Export…',
  reveal: 'Show in file manager',
  remove: 'Remove',
  copyHere: (server: string) => `Copy ${server} here`,
  moveHere: (server: string) => `Move ${server} here`,
  addHere: 'Add a server here',
  openText: 'Open as text',
} as const;
