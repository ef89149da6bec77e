interface View {
  /** The height of the list, and of each line, in pixels. */
  readonly height: number | undefined;
  readonly lineHeight: number;
  /** The first line in view, and the one behind the last. Where no line is at hand, it begins there. */
  readonly first?: number;
  readonly end?: number;
}

/** Returns the line to which a key moves in a list; nothing for a key that does not move. */
export function lineAfter(
  key: string,
  at: number | null,
  count: number,
  { height = 0, lineHeight, first = 0, end = count }: View,
): number | undefined {
  const page = Math.max(1, Math.floor(height / lineHeight) - 1);
  const [next, before] = [at === null ? first : at + 1, (at ?? end) - 1];
  const moves: Record<string, number> = {
    ArrowDown: next,
    j: next,
    ArrowUp: before,
    k: before,
    Home: 0,
    End: count - 1,
    PageDown: (at ?? first) + page,
    PageUp: (at ?? end) - page,
  };
  const line = moves[key];
  return line === undefined ? undefined : Math.max(0, Math.min(count - 1, line));
}
