/** Returns a set with these members put in, or taken out. */
export function withMembers<T>(
  set: ReadonlySet<T>,
  members: readonly T[],
  isIn: boolean,
): ReadonlySet<T> {
  return new Set(isIn ? [...set, ...members] : [...set].filter((one) => !members.includes(one)));
}
