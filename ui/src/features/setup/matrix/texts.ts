/** Texts of the matrix of servers and clients. */
import { formatCount, formatQuantity, listOf } from '@/lib/format';

export const MATRIX = {
  label: 'Servers by client',
  server: 'Server',
  extent: (servers: number, clients: number) =>
    `${formatQuantity(servers, 'server')}, ${formatQuantity(clients, 'client')}`,
  filter: 'Filter setup',
  all: (count: number) => `All ${formatCount(count)}`,
  attention: (count: number) => `Needs attention ${formatCount(count)}`,
  differ: (count: number) => `Differ ${formatCount(count)}`,
  /** The name of a switch. */
  inClient: (server: string, client: string) => `${server} in ${client}`,
  places: (count: number) => formatQuantity(count, 'file'),
  programsOnly: 'starts programs only',
  tokens: (tokens: string) => `${tokens} tokens`,
  counted: (counted: number, on: number) =>
    counted < on
      ? `Counted for ${counted} of its ${on} servers: the others are not connected.`
      : 'All of its servers are connected, and counted.',
  showCost: 'A click shows what they are made of.',
  openHint: (client: string) => `Files of ${client} in order of precedence, and what it gets`,
  sync: 'Copy…',
  syncHint: (server: string) => `Copy one definition of ${server} to several clients`,
  syncNamed: (server: string) => `Copy ${server} to other clients`,
  none: 'No server matches',
  profile: 'Profile',
  noProfile: 'No profile',
  profiles: 'Profiles',
  saveProfile: 'Save as profile…',
  profileName: 'Name of the profile',
  saveProfileTitle: 'Save what is on as a profile',
  save: 'Save',
  deleteProfile: 'Delete profile',
} as const;

/** Words beside a switch, and its tooltip. */
export const NOTE = {
  from: (place: string) => `From ${place}.`,
  offShort: 'disabled',
  off: (place: string) => `Disabled in ${place}: its entry stays, and the client skips it.`,
  differsShort: (fields: readonly string[]) =>
    fields.length > 1 ? `≠ ${fields[0]} +${fields.length - 1}` : `≠ ${fields[0] ?? 'differs'}`,
  differs: (fields: readonly string[]) =>
    fields.length > 0
      ? `Differs from most clients in ${listOf(fields)}.`
      : 'Differs from most clients.',
  lackShort: (fields: readonly string[], isLess: boolean) =>
    `${isLess ? 'without' : 'with'} ${fields[0]}${fields.length > 1 ? ` +${fields.length - 1}` : ''}`,
  lack: (fields: readonly string[], client: string | null) =>
    client === null
      ? `Has ${listOf(fields)} too, for which most clients here have no field.`
      : `${client} has no field for ${listOf(fields)}.`,
  approve: 'Needs approval',
  waiting: (client: string) => `Waits until it is approved in ${client}.`,
  shadows: 'shadowed',
  hidden: (places: readonly string[]) => `${listOf(places)} defines it too, and does not count.`,
  invalid: '✕ invalid',
  invalidIn: (place: string) => `Cannot be used as it stands in ${place}.`,
  refused: '⊘ refused',
  refusedIn: (place: string) => `Refused by policy, though it stands in ${place}.`,
  programsOnly: 'programs only',
  noAddresses: (client: string) => `${client} starts programs only: it cannot hold addresses.`,
  cannotShort: (transport: string) => `no ${transport}`,
  cannot: (client: string, transport: string) => `${client} does not speak ${transport}.`,
  readOnly: 'read-only',
  noFile: (client: string) => `No file of ${client} can be written.`,
  absent: (client: string, file: string) => `Not in ${client}. Switch it on to copy it to ${file}.`,
} as const;

/** The server that is explained below the matrix. */
export const DETAIL = {
  label: (server: string) => `${server} in your clients`,
  /** After the name of the server. */
  differ: (clients: readonly string[]) => `${listOf(clients)} differ`,
  same: (clients: readonly string[]) => `the same in ${listOf(clients)}`,
  only: (client: string) => `in ${client} only`,
  where: 'Places',
  why: (client: string) => `Why in ${client}`,
  difference: (one: string, other: string) => `${one} and ${other}`,
  /** Around the names of fields. */
  lacks: (client: string) => `${client} has no field for`,
  masked: 'They differ in a value that is masked, or in what only one of the two clients knows.',
  use: (one: string, other: string) => `Use ${one}’s in ${other}`,
  switches: 'What a switch does',
  /** With the key that undoes. */
  explain: (key: string) =>
    `Switches write at once; Undo is ${key}. You are asked before anything is lost.`,
  /** Around the name of a server. */
  saves: ['Switching ', ' off '] as const,
  savesTokens: (client: string, saved: string, total: string) =>
    `in ${client} saves ${saved} of ${total} tokens there.`,
} as const;
