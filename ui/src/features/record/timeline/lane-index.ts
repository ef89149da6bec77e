import type { Timeline, TimelineBar, TimelineBin } from '@/backend/bindings';

/** Bars and bins of one lane, from the left to the right. */
export interface LaneContent {
  readonly bars: readonly TimelineBar[];
  readonly bins: readonly TimelineBin[];
}

/** Lanes, of which `first` is the first and `end` the first that is not meant. */
interface LaneRange {
  readonly first: number;
  readonly end: number;
}

const EMPTY: LaneContent = { bars: [], bins: [] };

/**
 * An answer by its lanes, made once for each: what is drawn, and what the pointer is at, is looked
 * for on the lanes in sight, and not among all bars and bins of the answer.
 */
export class LaneIndex {
  readonly #lanes = new Map<number, { bars: TimelineBar[]; bins: TimelineBin[] }>();
  /** True if an operation of it goes on. */
  readonly goesOn: boolean;
  /** The number of bars of which a person took part. */
  readonly hatched: number;

  constructor({ bars, bins }: Pick<Timeline, 'bars' | 'bins'>) {
    let goesOn = false;
    let hatched = 0;
    for (const bar of bars) {
      this.#at(bar.lane).bars.push(bar);
      goesOn ||= bar.to === null;
      if (bar.person.length > 0) hatched += 1;
    }
    for (const bin of bins) this.#at(bin.lane).bins.push(bin);
    this.goesOn = goesOn;
    this.hatched = hatched;
  }

  /** Content of a lane. */
  lane(number: number): LaneContent {
    return this.#lanes.get(number) ?? EMPTY;
  }

  /** The lanes of a range that have anything on them. */
  *within({ first, end }: LaneRange): Iterable<readonly [number, LaneContent]> {
    for (let number = first; number < end; number++) {
      const content = this.#lanes.get(number);
      if (content) yield [number, content];
    }
  }

  #at(number: number) {
    let content = this.#lanes.get(number);
    if (!content) {
      content = { bars: [], bins: [] };
      this.#lanes.set(number, content);
    }
    return content;
  }
}
