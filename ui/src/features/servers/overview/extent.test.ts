import { expect, it } from 'vitest';
import type { ListChange } from '@/backend/bindings';
import { extentOf } from './extent';

const list = (count: number, tokens = 0) => ({ count, tokens }) as ListChange;

it('counts what there is, with what it takes of a model’s context', () => {
  expect(
    extentOf({
      tools: list(42, 12_400),
      resources: list(2),
      resourceTemplates: list(1),
      prompts: list(0),
    }),
  ).toEqual(['42 tools', '3 resources', '≈12,400 tokens (6 % of 200k)']);
  expect(extentOf({ tools: list(1, 3_401_733) })[1]).toBe('≈3,401,733 tokens (17 times 200k)');
  expect(extentOf({ tools: list(1, 90) })).toEqual(['1 tool', '≈90 tokens (< 1 % of 200k)']);
  expect(extentOf({})).toEqual([]);
});
