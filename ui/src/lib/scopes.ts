/** One scope, asked for or given. */
interface ComparedScope {
  scope: string;
  isRequested: boolean;
  isGranted: boolean;
}

/** Compares requested with granted scopes: first those in both, then the differences. */
export function compareScopes(
  requested: readonly string[],
  granted: readonly string[],
): ComparedScope[] {
  const all = [...new Set([...requested, ...granted])].map((scope) => ({
    scope,
    isRequested: requested.includes(scope),
    isGranted: granted.includes(scope),
  }));
  const rank = ({ isRequested, isGranted }: ComparedScope) => Number(isRequested !== isGranted);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** Scopes as the user types them: apart by spaces, commas or lines. Each once. */
export function readScopes(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
