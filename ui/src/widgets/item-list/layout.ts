import type { ItemGroup } from '@/backend/bindings';

/** A line of a list: an item by its place, or the heading of a group. */
export type Line =
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'heading'; readonly group: ItemGroup };

/** Lines that follow each other: the items of one group after its heading, or items of none. */
interface Segment {
  /** The first line. */
  readonly line: number;
  /** The place of the first item. */
  readonly first: number;
  /** Items shown. */
  readonly shown: number;
  readonly group: ItemGroup | null;
}

/** The lines of a list of any length, in which groups have headings and may be folded. */
export class Layout {
  readonly count: number;
  private readonly segments: Segment[] = [];

  constructor(total: number, groups: readonly ItemGroup[], folded: ReadonlySet<string>) {
    let line = 0;
    let next = 0;
    const add = (first: number, shown: number, group: ItemGroup | null) => {
      this.segments.push({ line, first, shown, group });
      line += shown + (group ? 1 : 0);
    };
    for (const group of groups) {
      // Groups of a list that has become shorter meanwhile.
      if (group.first < next || group.first + group.count > total) continue;
      if (group.first > next) add(next, group.first - next, null);
      add(group.first, folded.has(group.prefix) ? 0 : group.count, group);
      next = group.first + group.count;
    }
    if (next < total) add(next, total - next, null);
    this.count = line;
  }

  /** The line at this place from the top. */
  line(at: number): Line | undefined {
    if (at < 0 || at >= this.count) return undefined;
    const segment = this.last((each) => each.line <= at);
    if (!segment) return undefined;
    const inside = at - segment.line - (segment.group ? 1 : 0);
    return segment.group && inside < 0
      ? { kind: 'heading', group: segment.group }
      : { kind: 'item', index: segment.first + inside };
  }

  /** The line on which an item stands; the heading of its group while that is folded. */
  lineOf(index: number): number {
    const segment = this.last((each) => each.first <= index);
    if (!segment) return 0;
    if (segment.group && segment.shown === 0) return segment.line;
    return segment.line + (segment.group ? 1 : 0) + index - segment.first;
  }

  /** The group in which an item stands. */
  groupOf(index: number): ItemGroup | null {
    return this.last((each) => each.first <= index)?.group ?? null;
  }

  /** The item of the first line from `at` on that has one. */
  itemFrom(at: number): number {
    for (let line = at; line < this.count; line += 1) {
      const found = this.line(line);
      if (found?.kind === 'item') return found.index;
    }
    return 0;
  }

  private last(holds: (segment: Segment) => boolean): Segment | undefined {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const segment = this.segments[middle];
      if (segment && holds(segment)) low = middle + 1;
      else high = middle;
    }
    return this.segments[low - 1];
  }
}
