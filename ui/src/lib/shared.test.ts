import { describe, expect, it } from 'vitest';
import { isSameList, shared } from './shared';

const server = (id: string, phase: string) => ({ id, status: { phase }, also: [{ client: 'a' }] });

describe('what has not changed', () => {
  it('is the same object again', () => {
    const before = server('one', 'ready');
    expect(shared(before, server('one', 'ready'))).toBe(before);
    const after = shared(before, server('one', 'failed'));
    expect(after).toEqual(server('one', 'failed'));
    expect(after.also).toBe(before.also);
    expect(shared<unknown>({ a: undefined }, { b: 1 })).toEqual({ b: 1 });
    expect(shared<unknown>({ a: null }, { a: [] })).toEqual({ a: [] });
    expect(shared<unknown>([1, 2], [1])).toEqual([1]);
  });

  it('is told of a list by its elements', () => {
    const [one, two] = [server('one', 'ready'), server('two', 'ready')];
    expect(isSameList([one, two], [one, two])).toBe(true);
    expect(isSameList([one, two], [two, one])).toBe(false);
    expect(isSameList([one, two], [one])).toBe(false);
  });
});
