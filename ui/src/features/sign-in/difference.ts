/** Returns the offset of the first character in which a text is not the expected one. */
export function differsFrom(expected: string, actual: string): number {
  let at = 0;
  while (at < actual.length && expected[at] === actual[at]) at += 1;
  return at;
}
