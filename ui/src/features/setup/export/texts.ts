/** Texts of the dialog that exports servers. */
import { formatQuantity, listOf } from '@/lib/format';

export const EXPORT = {
  what: (count: number, only: string | undefined) =>
    count === 1 ? (only ?? '') : formatQuantity(count, 'server'),
  title: (what: string) => `Export ${what}`,
  copied: (what: string) => `Copied ${what}`,
  saved: (path: string) => `Saved ${path}`,
  close: 'Close',
  save: 'Save to a file…',
  copy: 'Copy',
  as: 'As',
  withSecrets: 'With secrets',
  hasSecrets: 'This text holds secrets. Mind where you put it.',
  leftOut: 'is left out.',
  text: 'Export',
} as const;

/** The variables that stand in the place of secrets. */
export function replaced(names: readonly string[]): string {
  if (names.length === 0) return 'Nothing in it looks like a secret.';
  const variables = [...new Set(names)].map((name) => `\${${name}}`);
  return `Secrets are replaced by ${listOf(variables)}.`;
}
