import type { ToolCall, ToolCallPage } from '@/backend/bindings';
import type { RowSource } from '@/components/virtual-table/row-source';
import { countOf, type Gap, PageCache } from '@/lib/page-cache';
import { PullStore } from '@/lib/pull-store';

/** Asks for calls; `offset` counts from the newest. */
type LoadCalls = (offset: number, limit: number) => Promise<ToolCallPage>;

const PAGE_SIZE = 32;
/** 1,024 calls. */
const MAX_PAGES = 32;

/** The calls of one tool that are on record, the newest first, of which only those in sight are held. */
export class HistoryRows extends PullStore<Gap> implements RowSource<ToolCall> {
  readonly #load: LoadCalls;
  readonly #onFailure: (reason: unknown) => void;
  readonly #cache = new PageCache<ToolCall>(PAGE_SIZE, MAX_PAGES);
  #shown = { first: 0, end: 1 };
  /** True if the record changed since calls were asked for. */
  #isDirty = true;

  count = 0;
  readonly prepended = 0;
  readonly generation = 0;
  /** False until the first answer. */
  isLoaded = false;
  /** True if all of the record was searched. */
  complete = false;

  constructor(load: LoadCalls, onFailure: (reason: unknown) => void) {
    super();
    this.#load = load;
    this.#onFailure = onFailure;
  }

  row(index: number): ToolCall | undefined {
    return this.#cache.row(index);
  }

  show(first: number, end: number): void {
    this.#shown = { first, end: Math.max(end, first + 1) };
    this.pull();
  }

  override open(): void {
    this.refresh();
    super.open();
  }

  /** The record changed. */
  refresh(): void {
    this.#cache.markStale();
    this.#isDirty = true;
    this.pull();
  }

  protected next(): Gap | null {
    // Where there are none, no page is kept that could be stale.
    if (this.isLoaded && this.count === 0 && !this.#isDirty) return null;
    this.#isDirty = false;
    const { first, end } = this.#shown;
    return this.#cache.gap(first, this.isLoaded ? Math.min(end, Math.max(this.count, 1)) : end);
  }

  protected async load(gap: Gap, isCurrent: () => boolean): Promise<void> {
    const { calls, total, complete } = await this.#load(gap.first, gap.end - gap.first);
    if (!isCurrent()) return;
    this.#cache.store(gap.first, calls);
    this.count = countOf(gap, calls.length, total);
    this.complete = complete;
    this.isLoaded = true;
    this.changed();
  }

  protected fail(reason: unknown): void {
    this.#onFailure(reason);
  }
}
