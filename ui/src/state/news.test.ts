import { expect, test } from 'vitest';
import { disconnected, stdioServer } from '@/test-support/servers';
import { type News, newsBetween, newsText, newsTone } from './news';

const base = stdioServer({ name: 'a', scope: 'user', line: 1, command: 'x', args: [] });
const at = (status: object, id = 'mcp-json:a') => ({
  ...base,
  id,
  status: { ...disconnected(), ...status },
});
const RECONNECTION = { reconnection: { attempt: 1, nextTry: null } };

test('a connection that is lost, fails or comes back is news, and nothing else', () => {
  const kinds = (before: object, after: object) =>
    newsBetween([at(before)], [at(after)]).map(({ kind }) => kind);
  expect(kinds({ phase: 'ready' }, { phase: 'disconnected', ...RECONNECTION })).toEqual(['lost']);
  expect(kinds({ phase: 'connecting', ...RECONNECTION }, { phase: 'failed' })).toEqual([]);
  expect(kinds({ phase: 'connecting' }, { phase: 'failed' })).toEqual(['failed']);
  expect(kinds({ phase: 'connecting', ...RECONNECTION }, { phase: 'ready' })).toEqual(['returned']);
  expect(kinds({ phase: 'connecting' }, { phase: 'ready' })).toEqual([]);
});

test('several are told in one line', () => {
  const after = ['a', 'b'].map((name) => at({ phase: 'failed' }, name));
  const before = ['a', 'b'].map((name) => at({ phase: 'connecting' }, name));
  expect(newsText(newsBetween(before, after))).toBe('2 servers failed');
});

test('only what came back is good news', () => {
  const news = (kind: News['kind']): News => ({ server: 'a', name: 'a', kind, reason: '' });
  expect(newsTone([news('returned')])).toBe('done');
  expect(newsTone([news('lost')])).toBe('warning');
  expect(newsTone([news('returned'), news('failed')])).toBe('warning');
});
