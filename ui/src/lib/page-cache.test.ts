import { describe, expect, it } from 'vitest';
import { countOf, PageCache } from './page-cache';

const rows = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `row ${first + index}`);

describe('the page cache', () => {
  it('has the rows that were stored and no others', () => {
    const cache = new PageCache<string>(10, 4);
    cache.store(20, rows(20, 20));
    expect(cache.row(20)).toBe('row 20');
    expect(cache.row(39)).toBe('row 39');
    expect(cache.row(19)).toBeUndefined();
    expect(cache.row(40)).toBeUndefined();
  });

  it('asks for whole pages, and only for those that are missing', () => {
    const cache = new PageCache<string>(10, 8);
    expect(cache.gap(12, 34)).toEqual({ first: 10, end: 40 });
    cache.store(10, rows(10, 10));
    expect(cache.gap(12, 34)).toEqual({ first: 20, end: 40 });
    cache.store(30, rows(30, 10));
    expect(cache.gap(12, 34)).toEqual({ first: 20, end: 30 });
    cache.store(20, rows(20, 10));
    expect(cache.gap(12, 34)).toBeNull();
  });

  it('asks again for a page that was shorter when it was loaded', () => {
    const cache = new PageCache<string>(10, 8);
    cache.store(0, rows(0, 4));
    expect(cache.gap(0, 4)).toBeNull();
    expect(cache.gap(0, 5)).toEqual({ first: 0, end: 10 });
  });

  it('still shows stale rows while it asks for them again', () => {
    const cache = new PageCache<string>(10, 8);
    cache.store(0, rows(0, 10));
    cache.markStale();
    expect(cache.row(3)).toBe('row 3');
    expect(cache.gap(0, 10)).toEqual({ first: 0, end: 10 });
  });

  it('keeps no more pages than it may, and those used last', () => {
    const cache = new PageCache<string>(10, 3);
    cache.store(0, rows(0, 30));
    expect(cache.gap(0, 10)).toBeNull();
    cache.store(30, rows(30, 10));
    expect(cache.pageCount).toBe(3);
    expect(cache.row(0)).toBe('row 0');
    expect(cache.row(10)).toBeUndefined();
    expect(cache.row(39)).toBe('row 39');
  });

  it('needs nothing for no rows', () => {
    expect(new PageCache<string>(10, 3).gap(5, 5)).toBeNull();
  });

  it('reuses the objects of rows that say nothing else', () => {
    const cache = new PageCache<{ id: number; text: string }>(10, 4);
    const known = { id: 1, text: 'same' };
    cache.store(0, [known, { id: 2, text: 'before' }]);
    const rows = cache.reuse(
      [
        { id: 1, text: 'same' },
        { id: 2, text: 'after' },
        { id: 3, text: 'new' },
      ],
      ({ id }) => id,
      (one, other) => one.text === other.text,
    );
    expect(rows[0]).toBe(known);
    expect(rows.map(({ text }) => text)).toEqual(['same', 'after', 'new']);
  });
});

describe('the number of rows after an answer', () => {
  it('is what the answer says', () => {
    expect(countOf({ first: 10, end: 20 }, 10, 300)).toBe(300);
    expect(countOf({ first: 10, end: 20 }, 3, 13)).toBe(13);
  });

  it('ends where fewer came than are said to be there', () => {
    expect(countOf({ first: 10, end: 20 }, 4, 300)).toBe(14);
    expect(countOf({ first: 10, end: 20 }, 0, 13)).toBe(10);
  });
});
