import { useEffect, useMemo, useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { ItemRow, ListChange, ListKind, ListOutline, ServerId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';

const PAGE_SIZE = 100;
const MAX_PAGES = 12;

/**
 * A window onto one list. When the list or the filter changes, the rows that are shown stay
 * until the new ones are there, so that nothing flickers while pages arrive.
 */
export function useItems(server: ServerId, list: ListKind, filter: string, revision: number) {
  const backend = useBackend();
  const [, redraw] = useState(0);
  const cache = useMemo(
    () => new ItemCache(backend, server, list, () => redraw((count) => count + 1)),
    [backend, server, list],
  );
  useEffect(() => {
    cache.open();
    return () => cache.close();
  }, [cache]);
  useEffect(() => {
    cache.refresh(filter, revision);
  }, [cache, filter, revision]);
  return cache;
}

class ItemCache {
  /** The number of items that match the filter; unknown until the first window is there. */
  matched: number | undefined;
  failure: string | undefined;
  /** The filter that the rows at hand match. */
  answered = '';
  private pages = new Map<number, ItemRow[]>();
  private filter = '';
  /** Moves with each change of the list or the filter; pages of an earlier one are outdated. */
  private generation = 0;
  private readonly loadedIn = new Map<number, number>();
  private running = false;
  private wanted: number[] = [0];
  private closed = false;

  constructor(
    private readonly backend: Backend,
    private readonly server: ServerId,
    private readonly list: ListKind,
    private readonly changed: () => void,
  ) {}

  open() {
    this.closed = false;
  }

  close() {
    this.closed = true;
  }

  row(index: number): ItemRow | undefined {
    return this.pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  }

  refresh(filter: string, _revision: number) {
    if (filter !== this.filter) this.wanted = [0];
    this.filter = filter;
    this.generation += 1;
    void this.pump();
  }

  want(first: number, last: number) {
    const from = Math.floor(Math.max(0, first) / PAGE_SIZE);
    const to = Math.floor(Math.max(0, last) / PAGE_SIZE);
    this.wanted = [];
    for (let page = from; page <= to; page += 1) this.wanted.push(page);
    void this.pump();
  }

  /** One request at a time: changes that come meanwhile are covered by the next. */
  private async pump() {
    if (this.running || this.closed) return;
    this.running = true;
    for (;;) {
      const page = this.wanted.find((wanted) => this.loadedIn.get(wanted) !== this.generation);
      if (page === undefined || this.closed) break;
      await this.load(page, this.generation);
    }
    this.running = false;
  }

  private async load(page: number, generation: number) {
    this.loadedIn.set(page, generation);
    const { filter } = this;
    try {
      const window = await this.backend.listItems(
        this.server,
        this.list,
        filter,
        page * PAGE_SIZE,
        PAGE_SIZE,
      );
      this.matched = window.matched;
      this.answered = filter;
      this.failure = undefined;
      this.pages.set(page, window.rows);
      this.forget();
    } catch (reason) {
      this.failure = asCommandError(reason).message;
    }
    if (!this.closed) this.changed();
  }

  private forget() {
    const middle = this.wanted[0] ?? 0;
    for (const page of this.pages.keys()) {
      const outdated = this.loadedIn.get(page) !== this.generation && !this.wanted.includes(page);
      if (outdated || Math.abs(page - middle) > MAX_PAGES) {
        this.pages.delete(page);
        this.loadedIn.delete(page);
      }
    }
  }
}

/** The most matches among which an item is looked for. */
const MAX_SEARCHED = 1_000;

/** Tells whether a filter that was answered leaves an item out. */
export function useIsHidden(
  server: ServerId,
  list: ListKind,
  { answered, matched = 0 }: Pick<ItemCache, 'answered' | 'matched'>,
  name: string | null,
): boolean {
  const backend = useBackend();
  const key = [server, list, answered, matched, name].join('\n');
  const [hidden, setHidden] = useState('');
  useAsyncEffect(() => {
    if (name === null || answered.trim() === '') return null;
    return {
      start: () => backend.listItems(server, list, answered, 0, MAX_SEARCHED),
      onValue: ({ rows }) => setHidden(rows.some((row) => row.name === name) ? '' : key),
    };
  }, [backend, server, list, answered, name, key]);
  return hidden === key;
}

const NOTHING: ListOutline = { prefix: '', groups: [] };

/**
 * Returns what the names of a list have in common, once it is loaded. While it is loaded again, the
 * last outline stays.
 */
export function useOutline(
  server: ServerId,
  list: ListKind,
  change: ListChange | undefined,
): ListOutline {
  const backend = useBackend();
  const key = `${server}\n${list}`;
  const [found, setFound] = useState({ key, outline: NOTHING });
  const isLoaded = change !== undefined && change.state.type !== 'loading';
  const revision = change?.revision ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is read again.
  useAsyncEffect(
    () =>
      isLoaded
        ? {
            start: () => backend.getListOutline(server, list),
            onValue: (outline) => setFound({ key, outline }),
          }
        : null,
    [backend, server, list, key, isLoaded, revision],
  );
  return found.key === key ? found.outline : NOTHING;
}
