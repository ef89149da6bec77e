import { describe, expect, it } from 'vitest';
import type { ListChange } from '@/backend/bindings';
import { demoServer } from '@/test-support/servers';
import { findingsOf, verdictOf } from './findings';

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

describe('the verdict on a server that is connected', () => {
  it('is that it works where nothing is odd', () => {
    const findings = findingsOf(demoServer(), [], [tools(10_000)]);
    expect(verdictOf(findings, null)).toBe('Works.');
  });

  it('remembers that the connection was lost', () => {
    expect(verdictOf([], 'Crashed once, 2 minutes ago, in boom.')).toBe(
      'Works. Crashed once, 2 minutes ago, in boom.',
    );
  });

  it('counts the tokens of definitions that crowd the context', () => {
    const findings = findingsOf(demoServer(), [], [tools(11_400)]);
    expect(verdictOf(findings, null)).toBe('Works. One thing other clients may trip over:');
    expect(findings.map(({ title }) => title)).toEqual(['About 11,400 tokens of tool definitions']);
  });

  it('names the cursor of pages that would never end', () => {
    const warning = 'The server gave the cursor "" again, so that its pages would never end.';
    const findings = findingsOf(demoServer(), [], [{ ...tools(0), warning }]);
    expect(findings.map(({ title, detail }) => [title, detail])).toEqual([
      ['The list of tools has faults', warning],
    ]);
  });
});
