import type { ListChange, ListKind } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';
import { EXTENT } from './texts';

/** Tokens of a model's context that a share is told of. */
const CONTEXT = 200_000;

/** Counted as the tabs count them: templates are resources. */
const COUNTED: readonly [string, ...ListKind[]][] = [
  ['tool', 'tools'],
  ['resource', 'resources', 'resourceTemplates'],
  ['prompt', 'prompts'],
];

/** Tells how much there is of a server: `42 tools`, `3 resources`, `≈12,400 tokens (6 % of 200k)`. */
export function extentOf(lists: Partial<Record<ListKind, ListChange>>): string[] {
  const counts = COUNTED.flatMap(([noun, ...kinds]) => {
    const count = kinds.reduce((sum, kind) => sum + (lists[kind]?.count ?? 0), 0);
    return count === 0 ? [] : [formatQuantity(count, noun)];
  });
  const tokens = lists.tools?.tokens ?? 0;
  if (tokens === 0) return counts;
  return [...counts, EXTENT.tokens(tokens, Math.round((100 * tokens) / CONTEXT))];
}
