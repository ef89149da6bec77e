/*
 * A list of which some rows are opened into trees, as the lines of a table. A tree stands below its
 * row of the list, which is its root and its line 0.
 */

/** A tree that is open. */
export interface OpenTree {
  /** The place of its root in the list. */
  readonly index: number;
  /** The number of lines below the root. */
  readonly lines: number;
}

/** A line: the row of the list that it belongs to, and its distance from that. */
export interface LinePlace {
  readonly index: number;
  readonly offset: number;
}

/** The number of lines of a list of `count` rows. */
export function lineCount(count: number, trees: readonly OpenTree[]): number {
  return trees.reduce((sum, tree) => sum + (tree.index < count ? tree.lines : 0), count);
}

/** Returns what stands at a line. `trees` are in the order of their roots. */
export function placeOf(line: number, trees: readonly OpenTree[]): LinePlace {
  let added = 0;
  for (const { index, lines } of trees) {
    const root = index + added;
    if (line <= root) break;
    if (line <= root + lines) return { index, offset: line - root };
    added += lines;
  }
  return { index: line - added, offset: 0 };
}

/** Returns the line of a place; of one that a tree no longer has, the tree's last. */
export function lineOf({ index, offset }: LinePlace, trees: readonly OpenTree[]): number {
  let added = 0;
  for (const tree of trees) {
    if (tree.index > index) break;
    if (tree.index === index) return index + added + Math.min(offset, tree.lines);
    added += tree.lines;
  }
  return index + added;
}
