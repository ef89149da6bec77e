import { expect, it } from 'vitest';
import { moved } from './server-order';

it('moves an id before another, or to the end', () => {
  const ids = ['a', 'b', 'c', 'd'];
  expect(moved(ids, 'd', 'b')).toEqual(['a', 'd', 'b', 'c']);
  expect(moved(ids, 'a', 'c')).toEqual(['b', 'a', 'c', 'd']);
  expect(moved(ids, 'b', null)).toEqual(['a', 'c', 'd', 'b']);
  expect(moved(ids, 'b', 'b')).toEqual(ids);
});
