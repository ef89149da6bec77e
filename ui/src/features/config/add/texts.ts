import { formatQuantity, listOf } from '@/lib/format';

/** Texts of the dialogs that add and import servers. */

export const PASTE = 'Paste';

/** The servers that the clipboard holds. */
export function clipboardOffer(names: readonly string[]): string {
  return names.length <= 3
    ? `The clipboard holds ${listOf(names)}.`
    : `The clipboard holds ${formatQuantity(names.length, 'server')}.`;
}

/** Variables that nobody has given a value. */
export function missingValues(names: readonly string[]): string {
  const variables = listOf(names.map((name) => `\${${name}}`));
  return names.length === 1
    ? `${variables} has no value here or in your environment. The server does not start without it.`
    : `${variables} have no values here or in your environment. The server does not start without them.`;
}

/** Counts the servers found, and those whose name is taken. */
export function foundCounts(all: number, taken: number): string {
  const servers = formatQuantity(all, 'server');
  if (taken === 0) return servers;
  return `${servers}: ${all - taken} new, ${formatQuantity(taken, 'name')} taken`;
}

export const NAME_IS_TAKEN = 'name is taken';
export const WHERE_TAKEN = 'Where the name is taken:';

export const NO_SERVER = 'No server recognised in this text';

/** The kind of the text that was pasted. */
export function recognised(what: string): string {
  return `Recognised: ${what}`;
}

export function waysToOne(count: number): string {
  return `One server, with ${count} ways to use it`;
}
