import { expect, it } from 'vitest';
import type { ListChange } from '@/backend/bindings';
import { demoServer } from '@/test-support/servers';
import { remarksOn } from './findings';

function tools(tokens: number): ListChange {
  return {
    list: 'tools',
    state: { type: 'loaded' },
    count: 40,
    problems: 0,
    tokens,
    freshFor: null,
    asOf: null,
    warning: null,
    revision: 1,
    added: [],
    removed: [],
    changed: [],
  };
}

it('says nothing where nothing is odd', () => {
  expect(remarksOn(demoServer(), [tools(10_000)])).toEqual([]);
});

it('counts the tokens of definitions that crowd the context', () => {
  const remarks = remarksOn(demoServer(), [tools(11_400)]);
  expect(remarks.map(({ message }) => message)).toEqual(['≈11,400 tokens of tool definitions']);
});

it('names the cursor of pages that would never end', () => {
  const warning = 'The server gave the cursor "" again, so that its pages would never end.';
  const remarks = remarksOn(demoServer(), [{ ...tools(0), warning }]);
  expect(remarks.map(({ message, title }) => [message, title])).toEqual([
    ['The list of tools has faults', warning],
  ]);
});
