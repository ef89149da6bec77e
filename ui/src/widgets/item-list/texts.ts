/** All texts of the lists of tools, resources, templates and prompts, in one place. */
import type { ItemGroup, ListKind, ToolHint } from '@/backend/bindings';
import { formatCount, formatQuantity } from '@/lib/format';

/** The hints of a tool: its name, and what it means (MCP, ToolAnnotations). */
export const HINTS: Record<ToolHint, { name: string; meaning: string }> = {
  readOnly: { name: 'Read-only', meaning: 'Read-only: says that it changes nothing' },
  destructive: { name: 'Destructive', meaning: 'Destructive: may delete or overwrite data' },
  idempotent: {
    name: 'Idempotent',
    meaning: 'Idempotent: the same call again has no further effect',
  },
  openWorld: {
    name: 'Open world',
    meaning: 'Open world: works with systems outside, such as the web',
  },
};

const NOUNS: Record<ListKind, string> = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'template',
  prompts: 'prompt',
};

export const LIST = {
  filter: (noun: string) => `Filter ${noun}`,
  count: (list: ListKind, total: number) => formatQuantity(total, NOUNS[list]),
  matches: (list: ListKind, matched: number, total: number) =>
    `${formatCount(matched)} of ${LIST.count(list, total)}`,
  tokens: (tokens: number) => `≈${formatQuantity(tokens, 'token')}`,
  tokensMeaning:
    'What the definitions take in a model’s context: estimated, at four characters a token.',
  showCost: 'A click counts them for a client.',
  prefixMeaning: 'Every URI begins with this',
  problem: '▲ problem',
  fresh: '● new',
  changed: '● changed',
  changedMeaning: 'Show what changed',
  nothingMatches: (filter: string) => `Nothing matches “${filter}”`,
  searched: 'Names, titles and descriptions are searched.',
  clearFilter: 'Clear the filter',
  hidden: (name: string) => `${name} is selected, and hidden by the filter`,
  none: (noun: string) => `No ${noun}`,
  brokenOff: 'The list failed before its first item.',
  listsNone: 'The server lists none. Any that it adds later appear here.',
  loadAgain: 'Load again',
} as const;

/** The heading of a group. */
export function groupLabel(group: ItemGroup, isFolded: boolean): string {
  return `${group.prefix}, ${formatCount(group.count)} items, ${isFolded ? 'collapsed' : 'expanded'}`;
}

export const PROGRESS = {
  soFar: (count: number) => `${formatCount(count)} so far`,
  loading: (noun: string) => `Loading ${noun}`,
  dismiss: 'Dismiss',
  added: (count: string) => `${count} added`,
  removed: (count: string) => `${count} removed`,
  changed: (count: string) => `${count} changed`,
  atLeast: (count: number) => `${formatCount(count)} or more`,
} as const;

/** The reasons why a list is not shown. */
export const ABSENT = {
  notReady: (server: string, noun: string) =>
    `${server} is not ready yet. Its ${noun} appear here as they arrive.`,
  failed: (reason: string) => `Failed: ${reason}`,
  showCause: 'Show what happened',
  notConnected: (server: string) => `${server} is not connected`,
  disconnected: 'Not connected. Run connects first.',
  asOf: (time: string) => `as of ${time}`,
  connect: 'Connect',
  connectToSee: (noun: string) => `Connect to see its ${noun}.`,
  unsupported: (noun: string) => `No ${noun}`,
  notDeclared: (server: string, noun: string) =>
    `${server} does not declare the ${noun} capability.`,
} as const;
