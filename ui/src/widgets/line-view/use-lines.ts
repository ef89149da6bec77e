import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Backend } from '@/backend/backend';
import type { FrameId, LinePage, PayloadQuery } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';

/** Lines asked for at once; a page that is given has as many. */
const PAGE_SIZE = 200;
/** Pages kept: some ten screens around the place that is read. */
const MAX_PAGES = 24;
/** Requests under way at once; while the user scrolls fast, what they passed is never asked for. */
const MAX_CONCURRENT = 2;

export interface Lines {
  /** Unknown until the first window is there. */
  total: number | undefined;
  failure: string | undefined;
  /** The line, if it is there yet. */
  line(index: number): string | undefined;
  /** The number of the line in the text; null where it continues the one before. */
  number(index: number): number | null | undefined;
  /** Names the lines that are in view, which are loaded first. */
  want(first: number, last: number): void;
}

/** A bounded cache of windows onto a text of any length. */
export function useLines(source: LineSource): Lines {
  const [, redraw] = useState(0);
  const cache = useMemo(() => new LineCache(source, () => redraw((count) => count + 1)), [source]);
  const current = useRef(cache);
  current.current = cache;
  useEffect(() => {
    cache.want(0, 0);
    return () => cache.close();
  }, [cache]);
  return {
    total: cache.total,
    failure: cache.failure,
    line: useCallback((index) => current.current.line(index), []),
    number: useCallback((index) => current.current.number(index), []),
    want: useCallback((first, last) => current.current.want(first, last), []),
  };
}

export class LineCache {
  total: number | undefined;
  failure: string | undefined;
  private readonly pages = new Map<number, Pick<LinePage, 'lines' | 'numbers'>>();
  private readonly running = new Set<number>();
  private wanted: number[] = [];
  private closed = false;

  constructor(
    private readonly source: LineSource,
    private readonly changed: () => void,
  ) {
    if (source.given) this.keep(0, source.given);
  }

  line(index: number): string | undefined {
    return this.pages.get(Math.floor(index / PAGE_SIZE))?.lines[index % PAGE_SIZE];
  }

  number(index: number): number | null | undefined {
    return this.pages.get(Math.floor(index / PAGE_SIZE))?.numbers[index % PAGE_SIZE];
  }

  want(first: number, last: number) {
    this.closed = false;
    const from = Math.floor(Math.max(0, first) / PAGE_SIZE);
    const to = Math.floor(Math.max(0, last) / PAGE_SIZE);
    this.wanted = [];
    for (let page = from; page <= to; page += 1) this.wanted.push(page);
    this.pump();
  }

  close() {
    this.closed = true;
  }

  private pump() {
    if (this.closed || this.failure !== undefined) return;
    for (const page of this.wanted) {
      if (this.running.size >= MAX_CONCURRENT) return;
      if (this.pages.has(page) || this.running.has(page)) continue;
      if (this.total !== undefined && page * PAGE_SIZE >= this.total && page > 0) continue;
      this.running.add(page);
      void this.load(page);
    }
  }

  private async load(page: number) {
    try {
      this.keep(page, await this.source.load(page * PAGE_SIZE, PAGE_SIZE));
      this.forget();
    } catch (reason) {
      this.failure = asCommandError(reason).message;
    }
    this.running.delete(page);
    if (this.closed) return;
    this.changed();
    this.pump();
  }

  private keep(page: number, window: LinePage) {
    this.total = window.totalLines;
    this.pages.set(page, window);
  }

  /** Drops the pages that are furthest from where the user reads. */
  private forget() {
    const middle = this.wanted[Math.floor(this.wanted.length / 2)] ?? 0;
    const byDistance = [...this.pages.keys()].sort(
      (one, other) => Math.abs(other - middle) - Math.abs(one - middle),
    );
    for (const page of byDistance.slice(0, Math.max(0, this.pages.size - MAX_PAGES))) {
      this.pages.delete(page);
    }
  }
}

/** A source of lines, a window at a time. */
export interface LineSource {
  /** Tells one text from another. */
  key: string;
  /** The first page, where it is at hand. */
  given?: LinePage | null;
  load(first: number, count: number): Promise<LinePage>;
}

/** The lines of a payload on record. */
export function payloadSource(
  backend: Backend,
  query: PayloadQuery,
  given: LinePage | null,
): LineSource {
  return {
    key: `${query.frame} ${query.form} ${query.pointer}`,
    given,
    load: (first, count) => backend.getPayloadLines(query, first, count),
  };
}

/** A hex dump of the base64 string at `pointer`. */
export function hexSource(backend: Backend, frame: FrameId, pointer: string): LineSource {
  return {
    key: `${frame} hex ${pointer}`,
    load: (first, count) => backend.getBlobHex(frame, pointer, first, count),
  };
}
