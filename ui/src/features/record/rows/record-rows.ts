import type { ExchangeId, FilterProblem, TrafficQuery } from '@/backend/bindings';
import type { RowSource } from '@/components/virtual-table/row-source';
import { inFrameOfItsOwn } from '@/lib/frames';
import { countOf, type Gap, PageCache } from '@/lib/page-cache';
import { PullStore } from '@/lib/pull-store';
import type { Selection } from '../filter/selection';

/** A page of rows, oldest first, and how many there are. */
export interface RecordPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** The number of rows without the selection. */
  readonly of: number;
  /** The number of rows of connections that check servers. */
  readonly ofChecks: number;
  readonly complete: boolean;
  /** The oldest message that was looked at, where that is not the oldest on record. */
  readonly oldest?: ExchangeId | null;
  readonly problem: FilterProblem | null;
}

/** Asks for rows; `offset` counts from the newest. */
export type LoadWindow<Row> = (
  query: TrafficQuery,
  offset: number,
  limit: number,
) => Promise<RecordPage<Row>>;

/** Facts about rows of one kind. */
export interface RowTraits<Row> {
  idOf(row: Row): ExchangeId;
  isPending(row: Row): boolean;
  /** Tells whether a row that came again says nothing else, so that it stays as it is. */
  isSame(known: Row, row: Row): boolean;
}

/** Everything, of which a pause needs to know the newest row. */
const EVERYTHING: TrafficQuery = {
  filter: '',
  kinds: [],
  invert: false,
  server: null,
  until: null,
};

/** Rows of any kind, as what is about them sees them. */
export type RowsInView = Omit<RecordRows<unknown>, 'row' | 'atHand'>;

const PAGE_SIZE = 32;
/** 4,096 rows: some two megabytes. */
const MAX_PAGES = 128;
/** Milliseconds between two questions about the search of older rows. */
const SEARCH_INTERVAL = 60;
/** Milliseconds between two counts of the rows that came since the view stands still. */
const COUNT_INTERVAL = 250;

type PendingLoad = 'anchor' | 'window' | 'newer';

/**
 * The rows of the record that match a selection, as the table sees them.
 *
 * Rows are asked for by their distance from the newest. While the view follows the record only
 * its end is shown, so each answer replaces what was there. As soon as the user scrolls away, or
 * pauses, the view is anchored: `until` holds it at the row that was the newest, distances stay
 * what they are however much arrives, and older rows that a search still finds come in before
 * the first.
 */
export class RecordRows<Row> extends PullStore<PendingLoad> implements RowSource<Row> {
  readonly #load: LoadWindow<Row>;
  readonly #traits: RowTraits<Row>;
  readonly #cache = new PageCache<Row>(PAGE_SIZE, MAX_PAGES);
  #selection: Selection;
  #shown = { first: 0, end: 0 };

  /** Set while the window has to be asked for again. */
  #windowIsDirty = true;
  #newerIsDirty = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #countTimer: ReturnType<typeof setTimeout> | undefined;
  /** True if the rows at hand belong to an earlier selection. */
  #isOutdated = false;
  /** Calls whose rows are folded away. */
  #folded: readonly ExchangeId[] = [];
  /** True if others are folded away than in the rows at hand. */
  #isRefolded = false;

  /** The newest row that is shown, while the view stands still. */
  #anchor: ExchangeId | null = null;

  count = 0;
  /** The number of rows without the selection. */
  of = 0;
  ofChecks = 0;
  prepended = 0;
  generation = 0;
  /** True if all of the record was searched. */
  complete = false;
  /** The oldest message that was looked at, where that is not the oldest on record. */
  oldest: ExchangeId | null = null;
  /** True if the first answer is there. */
  loaded = false;
  paused = false;
  /** The number of rows that came since the view stands still. */
  newer = 0;
  problem: FilterProblem | null = null;
  /** The filter that `problem` is about. */
  filterAnswered = '';
  /** The reason why rows could not be loaded. */
  failure: unknown = null;

  constructor(load: LoadWindow<Row>, traits: RowTraits<Row>, selection: Selection) {
    super(inFrameOfItsOwn);
    this.#load = load;
    this.#traits = traits;
    this.#selection = selection;
  }

  /** Tells whether the view stays at the newest row. */
  get follows(): boolean {
    return this.#anchor === null && !this.paused;
  }

  row(index: number): Row | undefined {
    return this.#cache.row(this.count - 1 - index);
  }

  show(first: number, end: number): void {
    if (first === this.#shown.first && end === this.#shown.end) return;
    this.#shown = { first, end };
    // The end of the record is not loaded by page, but as far as it is seen.
    if (this.follows && this.loaded && first < this.count && !this.row(first)) {
      this.#windowIsDirty = true;
    }
    this.pull();
  }

  /** Shows other rows. Those at hand stay until the first answer, so that nothing flashes. */
  select(selection: Selection): void {
    if (selection === this.#selection) return;
    this.#selection = selection;
    this.cancel();
    this.#isOutdated = true;
    this.#windowIsDirty = true;
    if (!this.paused) this.#anchor = null;
    this.newer = 0;
    this.pull();
  }

  /** Folds the rows of these calls away. The view stays where it is. */
  fold(folded: readonly ExchangeId[]): void {
    if (folded === this.#folded) return;
    this.#folded = folded;
    this.cancel();
    this.#isRefolded = true;
    this.#windowIsDirty = true;
    this.#cache.markStale();
    this.pull();
  }

  /** The rows at hand, in no order. */
  atHand(): Iterable<Row> {
    return this.#cache.rows();
  }

  /** The place of a row, counted from the first one, if it is at hand. */
  indexOf(id: ExchangeId): number | null {
    const offset = this.#cache.offsetOf((row) => this.#traits.idOf(row) === id);
    return offset === null ? null : this.count - 1 - offset;
  }

  /**
   * Looks up the place of a row, which may be far away, and stands still there. Nothing for a row
   * that is not listed.
   */
  async reveal(id: ExchangeId): Promise<number | null> {
    await this.#ready();
    this.hold();
    const { rows, total } = await this.#load({ ...this.query(), until: id }, 0, 1);
    const found = rows.at(-1);
    return found !== undefined && this.#traits.idOf(found) === id ? total - 1 : null;
  }

  /** Waits for rows of the selection. */
  #ready(): Promise<void> {
    const isReady = () => this.loaded && !this.#isOutdated;
    if (isReady()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (!isReady()) return;
        stop();
        resolve();
      });
    });
  }

  /** The record changed. */
  refresh(): void {
    if (this.follows) {
      this.#windowIsDirty = true;
    } else {
      this.#newerIsDirty = true;
      if (this.#showsPending()) this.#cache.markStale();
    }
    this.pull();
  }

  /** The record was cleared. */
  reset(): void {
    this.cancel();
    this.#isOutdated = true;
    this.#windowIsDirty = true;
    if (!this.paused) this.#anchor = null;
    this.newer = 0;
    this.pull();
  }

  /** The view stands still while more arrives. */
  hold(): void {
    const newest = this.#cache.row(0);
    if (!this.follows || !newest || this.#isOutdated) return;
    this.#anchor = this.#traits.idOf(newest);
    this.cancel();
    this.newer = 0;
    this.changed();
  }

  /** The view follows the record again, unless it is paused. */
  follow(): void {
    if (this.paused || this.#anchor === null) return;
    this.#resume();
  }

  /** Stands still at the newest row, whatever is selected, until told to go on. */
  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.cancel();
    this.newer = 0;
    this.changed();
    this.pull();
  }

  /** Ends a pause and shows what came meanwhile. */
  resume(): void {
    this.paused = false;
    this.#resume();
  }

  override open(): void {
    this.#windowIsDirty = true;
    super.open();
  }

  override close(): void {
    super.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#countTimer);
    this.#countTimer = undefined;
  }

  #resume(): void {
    this.#anchor = null;
    this.cancel();
    this.newer = 0;
    this.#windowIsDirty = true;
    this.changed();
    this.pull();
  }

  protected next(): PendingLoad | null {
    if (this.paused && this.#anchor === null) return 'anchor';
    if (this.#windowIsDirty || this.#wanted()) return 'window';
    if (this.#newerIsDirty && this.#anchor !== null && this.#countTimer === undefined)
      return 'newer';
    return null;
  }

  protected async load(load: PendingLoad, isCurrent: () => boolean): Promise<void> {
    switch (load) {
      case 'anchor': {
        const { rows } = await this.#load(EVERYTHING, 0, 1);
        if (!isCurrent()) return;
        const newest = rows.at(-1);
        // An empty record is held before its first row.
        this.#anchor = newest === undefined ? 0 : this.#traits.idOf(newest);
        this.#windowIsDirty = true;
        this.#isOutdated = true;
        return;
      }
      case 'window': {
        this.#windowIsDirty = false;
        const gap =
          this.#isOutdated || this.follows ? this.#tail() : (this.#wanted() ?? this.#tail());
        const window = await this.#load(this.query(), gap.first, gap.end - gap.first);
        if (isCurrent()) this.#accept(window, gap);
        return;
      }
      case 'newer': {
        this.#newerIsDirty = false;
        this.#countTimer = setTimeout(() => {
          this.#countTimer = undefined;
          this.pull();
        }, COUNT_INTERVAL);
        const { total, complete } = await this.#load({ ...this.query(), until: null }, 0, 1);
        if (!isCurrent()) return;
        if (!complete || !this.complete) {
          this.#newerIsDirty = true;
          return;
        }
        this.newer = Math.max(0, total - this.count);
        this.changed();
        return;
      }
    }
  }

  /** Returns the query of the rows that are shown. */
  query(): TrafficQuery {
    const { filter, kinds, invert, server, phases, checks } = this.#selection;
    return {
      filter,
      kinds: phases && kinds.length > 0 ? [...kinds, 'phase'] : [...kinds],
      invert,
      server,
      until: this.#anchor,
      quiet: !phases,
      withoutChecks: !checks,
      folded: [...this.#folded],
    };
  }

  /** The newest rows, as many as are shown, and some that may come into view next. */
  #tail(): Gap {
    const shown = this.#shown.end - this.#shown.first;
    return { first: 0, end: (Math.ceil(shown / PAGE_SIZE) + 1) * PAGE_SIZE };
  }

  /** The shown rows that are not at hand, or may have changed. */
  #wanted(): Gap | null {
    if (this.follows || this.#isOutdated) return null;
    const end = Math.min(this.#shown.end, this.count);
    return this.#cache.gap(this.count - end, this.count - Math.min(this.#shown.first, end));
  }

  #accept(window: RecordPage<Row>, gap: Gap): void {
    const { idOf, isSame } = this.#traits;
    const newestFirst = this.#cache.reuse(window.rows, idOf, isSame).reverse();
    const count = countOf(gap, newestFirst.length, window.total);
    if (this.#isOutdated) {
      this.#isOutdated = false;
      this.generation += 1;
      this.prepended = 0;
      this.#cache.clear();
    } else if (this.follows || this.#isRefolded) {
      // Rows before those that were folded keep their index, and so their place.
      this.#cache.clear();
    } else {
      this.prepended += count - this.count;
    }
    this.#isRefolded = false;
    this.#cache.store(gap.first, newestFirst);
    this.count = count;
    this.of = window.of;
    this.ofChecks = window.ofChecks;
    this.complete = window.complete;
    this.oldest = window.oldest ?? null;
    this.problem = window.problem ?? null;
    this.filterAnswered = this.#selection.filter;
    this.failure = null;
    this.loaded = true;
    if (!window.complete) this.#searchOn();
    this.changed();
  }

  #searchOn(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#windowIsDirty = true;
      this.pull();
    }, SEARCH_INTERVAL);
  }

  protected fail(reason: unknown): void {
    // Not asked again by itself: the next revision, or the next scroll, does.
    this.#windowIsDirty = false;
    this.failure = reason;
    this.loaded = true;
    this.changed();
  }

  #showsPending(): boolean {
    for (let index = this.#shown.first; index < this.#shown.end; index++) {
      const row = this.row(index);
      if (row !== undefined && this.#traits.isPending(row)) return true;
    }
    return false;
  }
}
