import type { Backend } from '@/backend/backend';
import type {
  ExchangeId,
  OperationTimeline,
  Timeline,
  TimelineQuery,
  TimelineStep,
  TrafficQuery,
} from '@/backend/bindings';
import { PullStore } from '@/lib/pull-store';
import { shared } from '@/lib/shared';
import { LaneIndex } from './lane-index';
import { fitted, following, panned, showing, type TimeView, zoomed } from './time-view';

/** The commands that read a timeline. */
export type TimelineLoader = Pick<
  Backend,
  'getTrafficTimeline' | 'getTrafficTimelineStep' | 'getTrafficTimelineOperation'
>;

/** Height of a lane in pixels. */
export const LANE = 18;
/** Milliseconds of the record that are shown first. */
const FIRST_SPAN = 600_000;
/** Milliseconds between two questions because the record grows. */
const REFRESH_INTERVAL = 200;
/** Lanes beyond the shown ones that are asked for, so that scrolling finds them. */
const SPARE_LANES = 8;
const BUCKETS = 400;
const NO_LANES = new LaneIndex({ bars: [], bins: [] });

/** The stretch that is shown: everything, what comes in, or where the user went. */
type Mode = 'fit' | 'follow' | 'free';

/**
 * The shown part of the timeline. What was drawn last stays until the answer to a change is there.
 */
export class TimelineModel extends PullStore<TimelineQuery> {
  /** The last answer. */
  timeline: Timeline | null = null;
  /** The same by its lanes. */
  lanes = NO_LANES;
  /** The width in pixels that it was laid out for. */
  laidOutWidth = 1;
  view: TimeView = { from: 0, to: 1 };
  /** Pixels by which the lanes are scrolled. */
  scroll = 0;
  selected: OperationTimeline | null = null;
  failure: unknown = null;
  readonly #loader: TimelineLoader;
  readonly #queryOf: () => TrafficQuery;
  #mode: Mode = 'fit';
  #isPlaced = false;
  #size = { width: 0, height: 0 };
  #isDirty = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted: ExchangeId | null = null;

  constructor(loader: TimelineLoader, queryOf: () => TrafficQuery) {
    super();
    this.#loader = loader;
    this.#queryOf = queryOf;
  }

  override open(): void {
    this.#isDirty = true;
    super.open();
  }

  override close(): void {
    super.close();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The record grew, or something in it changed. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.reload();
      if (this.selected?.operation.outcome === 'pending') void this.#loadSelected();
    }, REFRESH_INTERVAL);
  }

  resize(width: number, height: number): void {
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    this.scrollTo(this.scroll);
    this.reload();
    this.changed();
  }

  get follows(): boolean {
    return this.#mode !== 'free';
  }

  get laneCount(): number {
    const last = this.timeline?.tracks.at(-1);
    return last ? last.first + last.count : 0;
  }

  fit(): void {
    this.#mode = 'fit';
    this.#place();
    this.reload();
  }

  follow(): void {
    const whole = this.#whole();
    if (whole === null) return;
    this.#mode = 'follow';
    this.view = following(this.view, whole.to);
    this.reload();
    this.changed();
  }

  zoom(factor: number, at = this.#middle()): void {
    const whole = this.#whole();
    if (whole) this.#moveTo(zoomed(this.view, factor, at, whole));
  }

  pan(share: number): void {
    const whole = this.#whole();
    if (whole) this.#moveTo(panned(this.view, share, whole));
  }

  /** Shows a stretch that the user chose. */
  show(view: TimeView): void {
    const whole = this.#whole();
    if (whole) this.#moveTo(zoomed(view, 1, (view.from + view.to) / 2, whole));
  }

  scrollTo(scroll: number): void {
    const most = Math.max(0, this.laneCount * LANE - this.#size.height);
    const next = Math.min(Math.max(0, scroll), most);
    if (next === this.scroll) return;
    this.scroll = next;
    this.reload();
    this.changed();
  }

  /** Goes to another operation; resolves to it. */
  async step(step: TimelineStep): Promise<ExchangeId | null> {
    const from = this.selected?.operation.root.id ?? null;
    const place = await this.#loader.getTrafficTimelineStep(this.#queryOf(), from, step);
    if (place === null) return null;
    const view = showing(this.view, place.from ?? 0, place.to ?? place.from ?? 0);
    if (view !== this.view) this.show(view);
    const top = place.lane * LANE;
    if (top < this.scroll) this.scrollTo(top);
    else if (top + LANE > this.scroll + this.#size.height) {
      this.scrollTo(top + LANE - this.#size.height);
    }
    return place.operation;
  }

  /** Selects the operation of a row. */
  async select(id: ExchangeId | null): Promise<void> {
    if (id === this.#wanted) return;
    this.#wanted = id;
    if (id === null) {
      this.selected = null;
      this.changed();
      return;
    }
    await this.#loadSelected();
    this.reload();
  }

  async #loadSelected(): Promise<void> {
    const id = this.#wanted;
    if (id === null) return;
    try {
      const selected = await this.#loader.getTrafficTimelineOperation(id);
      if (this.#wanted === id) this.selected = selected;
    } catch {
      // It is no longer on record.
      if (this.#wanted === id) this.selected = null;
    }
    this.changed();
  }

  /** Asks for what is to be shown. */
  reload(): void {
    this.#isDirty = true;
    this.pull();
  }

  protected next(): TimelineQuery | null {
    if (!this.#isDirty || this.#size.width === 0) return null;
    this.#isDirty = false;
    const { width, height } = this.#size;
    const firstLane = Math.max(0, Math.floor(this.scroll / LANE) - SPARE_LANES);
    const endLane = Math.ceil((this.scroll + height) / LANE) + SPARE_LANES;
    return {
      query: this.#queryOf(),
      time: this.#isPlaced ? this.view : null,
      width: Math.max(1, Math.round(width)),
      firstLane,
      lanes: endLane - firstLane,
      marked: this.#marked(),
      buckets: BUCKETS,
    };
  }

  protected async load(query: TimelineQuery, isCurrent: () => boolean): Promise<void> {
    const timeline = await this.#loader.getTrafficTimeline(query);
    if (!isCurrent()) return;
    // Zooming changes neither: what shows them is then drawn once.
    const tracks = shared(this.timeline?.tracks, timeline.tracks);
    const overview = shared(this.timeline?.overview, timeline.overview);
    this.timeline = { ...timeline, tracks, overview };
    this.lanes = new LaneIndex(timeline);
    this.laidOutWidth = query.width;
    this.failure = null;
    // Placed even where another question waits: what is drawn now is drawn where it is.
    if (this.follows && this.#place()) this.#isDirty = true;
    if (!timeline.complete) this.refresh();
    this.changed();
  }

  protected fail(reason: unknown): void {
    this.failure = reason;
    this.changed();
  }

  #marked(): ExchangeId[] {
    if (this.selected === null) return [];
    const related = this.selected.arrows.flatMap(({ cause, caused }) => [cause, caused]);
    return [...new Set([this.selected.operation.root.id, ...related])];
  }

  /** Places the view where the mode wants it. Returns whether that is elsewhere. */
  #place(): boolean {
    const whole = this.#whole();
    if (whole === null) return false;
    const known = this.view;
    if (!this.#isPlaced) {
      this.#isPlaced = true;
      const isLong = whole.to - whole.from > FIRST_SPAN;
      if (isLong) {
        this.#mode = 'follow';
        this.view = following({ from: 0, to: FIRST_SPAN }, whole.to);
        return true;
      }
    }
    // What is still in sight needs no move. An end that was now is earlier once that is over.
    const isInSight = whole.to <= known.to && whole.to >= known.from;
    if (this.#mode === 'follow' && isInSight) return false;
    const next = this.#mode === 'fit' ? fitted(whole) : following(this.view, whole.to);
    const span = next.to - next.from;
    // What goes on moves the end all the time; a little of that is the margin's.
    const isNear =
      Math.abs(next.from - known.from) < span / 100 && Math.abs(next.to - known.to) < span / 100;
    if (isNear) return false;
    this.view = next;
    this.changed();
    return true;
  }

  #moveTo(view: TimeView): void {
    if (view.from === this.view.from && view.to === this.view.to) return;
    this.view = view;
    const latest = this.#whole()?.to ?? 0;
    // At the right end it goes on with what comes in.
    const isAtEnd = latest <= view.to && latest >= view.from + (view.to - view.from) * 0.8;
    this.#mode = isAtEnd ? 'follow' : 'free';
    this.reload();
    this.changed();
  }

  #whole(): TimeView | null {
    const whole = this.timeline?.whole;
    return whole ? { from: whole.from ?? 0, to: whole.to ?? 0 } : null;
  }

  #middle(): number {
    return (this.view.from + this.view.to) / 2;
  }
}
