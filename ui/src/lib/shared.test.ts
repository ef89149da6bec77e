import { describe, expect, it } from 'vitest';
import { shared, sharedList } from './shared';

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

  it('is found by its name in a list', () => {
    const before = [server('one', 'ready'), server('two', 'ready')];
    const byId = ({ id }: { id: string }) => id;
    expect(sharedList(before, [server('one', 'ready'), server('two', 'ready')], byId)).toBe(before);
    const after = sharedList(
      before,
      [server('new', 'ready'), server('one', 'ready'), server('two', 'failed')],
      byId,
    );
    expect(after[1]).toBe(before[0]);
    expect(after[2]).not.toBe(before[1]);
    expect(after.map(byId)).toEqual(['new', 'one', 'two']);
  });
});
