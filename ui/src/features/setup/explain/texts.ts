/** Texts that explain a server: why its entry counts, its definitions, its variables, what to do. */
import { formatQuantity, listOf } from '@/lib/format';

export const EXPLANATION = {
  label: (server: string) => `Why ${server} is what it is`,
  actions: (server: string) => `Actions for ${server}`,
  more: 'More actions',
  why: 'Why',
  problems: 'Problems',
} as const;

export const SEVERAL = {
  label: 'Selection',
  title: (count: number) => formatQuantity(count, 'server'),
  all: 'With all of them',
  inOneFile: (file: string) => `All of them are defined in ${file}.`,
  inSeveralFiles:
    'They are defined in different files: they can be exported together, but not moved.',
  selected: 'Selected',
} as const;

export const DEFINITIONS = {
  title: (count: number) => (count > 1 ? `${count} definitions` : 'Definition'),
  showAs: 'Show as',
  difference: 'Difference',
  fields: 'Fields',
  text: 'Text',
  line: (line: number) => `line ${line}`,
  field: 'Field',
  differs: 'differs',
  notSet: 'not set',
  instead: 'To use another one:',
  move: (file: string) => `Use the one in ${file} instead`,
  remove: 'Delete this one',
} as const;

export const VARIABLES = {
  title: 'Variables',
  noValue: 'no value',
  masked: ', masked',
  origins: {
    environment: 'From your environment',
    default: 'From its default',
    client: 'Set by the client',
    input: 'The client asks for it',
    secret: 'Kept in the secret storage',
    unset: 'Not set anywhere',
    notExpanded: 'Not expanded by this client',
  },
} as const;

/** The next step, and the button that does it. */
export const NEXT = {
  unset: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} has no value. Set it in your login shell, or give it a default: \${${names[0]}:-value}.`
      : `${listOf(names)} have no values. Set them in your login shell, or give them defaults: \${${names[0]}:-value}.`,
  edit: 'Edit',
  outdated: 'It is connected with an older entry than the one in the file.',
  reconnect: 'Reconnect',
  failed: (reason: string) => `The configuration is valid; the connection failed: ${reason}.`,
  showFailure: 'Show what happened',
  ready: 'Ready to connect.',
  connect: 'Connect',
  connected: 'Connected with the entry in the file.',
  usedBy: (client: string) => `Used by ${client}. Copy it into a file of Sightglass to connect.`,
  copy: 'Copy it',
  mend: (line: number, column: number, problem: string) =>
    `Correct line ${line}, column ${column}: ${problem}`,
  openHere: 'Open at this line',
  approve: (server: string) => `Read what ${server} would start, then approve it for this project.`,
  refusedByClaude:
    'The rule is in Claude Code’s settings, or the administrator of this computer set it.',
  refused: 'These files cannot change that. Ask the administrator of this computer.',
  disabled: 'It is disabled in its file.',
  enable: 'Enable',
  trustInClaude: (server: string) =>
    `Claude Code uses it once you trust this project there and approve ${server}.`,
  approveThere: 'Approve',
  trustInClient: 'The client uses it once you trust this project there.',
} as const;
