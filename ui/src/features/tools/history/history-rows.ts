import type { ToolCall, ToolCallPage } from '@/backend/bindings';
import { PageCache } from '@/components/virtual-table/page-cache';
import type { RowSource } from '@/components/virtual-table/row-source';

/** Asks for calls; `offset` counts from the newest. */
type LoadCalls = (offset: number, limit: number) => Promise<ToolCallPage>;

const PAGE_SIZE = 32;
/** 1,024 calls. */
const MAX_PAGES = 32;

/** The calls of one tool that are on record, the newest first, of which only those in sight are held. */
export class HistoryRows implements RowSource<ToolCall> {
  readonly #load: LoadCalls;
  readonly #onFailure: (reason: unknown) => void;
  readonly #cache = new PageCache<ToolCall>(PAGE_SIZE, MAX_PAGES);
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #shown = { first: 0, end: 1 };
  #isBusy = false;
  #isDirty = false;

  count = 0;
  readonly prepended = 0;
  readonly generation = 0;
  /** False until the first answer. */
  isLoaded = false;
  /** True if all of the record was searched. */
  complete = false;

  constructor(load: LoadCalls, onFailure: (reason: unknown) => void) {
    this.#load = load;
    this.#onFailure = onFailure;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getVersion = () => this.#version;

  row(index: number): ToolCall | undefined {
    return this.#cache.row(index);
  }

  show(first: number, end: number): void {
    this.#shown = { first, end: Math.max(end, first + 1) };
    void this.#fill();
  }

  /** The record changed. */
  pulse(): void {
    this.#cache.markStale();
    void this.#fill();
  }

  async #fill(): Promise<void> {
    if (this.#isBusy) {
      this.#isDirty = true;
      return;
    }
    const { first, end } = this.#shown;
    const gap = this.#cache.gap(
      first,
      this.isLoaded ? Math.min(end, Math.max(this.count, 1)) : end,
    );
    if (!gap) return;
    this.#isBusy = true;
    this.#isDirty = false;
    try {
      const page = await this.#load(gap.first, gap.end - gap.first);
      this.#cache.store(gap.first, page.calls);
      this.count = page.total;
      this.complete = page.complete;
      this.isLoaded = true;
      this.#version += 1;
      for (const listener of this.#listeners) listener();
    } catch (reason) {
      this.#onFailure(reason);
    } finally {
      this.#isBusy = false;
    }
    if (this.#isDirty) void this.#fill();
  }
}
