import type { NameCandidate, NamingScheme } from '@/backend/bindings';

/**
 * The candidates that are worth showing: those that servers list where there are some, and those of
 * the client itself otherwise. What several clients name alike stands once.
 */
export function likeliest(
  candidates: readonly NameCandidate[],
  scheme: NamingScheme,
): readonly NameCandidate[] {
  const listed = candidates.filter(({ basis }) => basis === 'listed');
  const own = candidates.filter((candidate) => candidate.scheme === scheme);
  const shown = listed.length > 0 ? listed : own.length > 0 ? own : candidates;
  const seen = new Set<string>();
  return shown.filter(({ kind, server, item }) => {
    const key = `${kind}\n${server}\n${item}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
