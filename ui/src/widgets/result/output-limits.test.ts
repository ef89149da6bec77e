import { expect, test } from 'vitest';
import type {
  BlockView,
  CallReport,
  Client,
  ConfigurationView,
  ModelClientView,
  ResultLimits,
} from '@/backend/bindings';
import { exceededLimits, isLongForClients, tokensAbout } from './output-limits';
import { LIMITS } from './texts';

const MEBIBYTE = 1024 * 1024;

function text(size: number, role: string | null = null): BlockView {
  const part = { pointer: '/result/content/0/text', size, text: null };
  return {
    body: { kind: 'text', text: part },
    role,
    annotations: null,
    pointer: '/result/content/0',
  };
}

const report = (...blocks: BlockView[]) =>
  ({ result: { blocks, structured: null } }) as unknown as CallReport;

const limits = (rest: Partial<ResultLimits>): ResultLimits => ({
  warning: 10_000,
  cut: null,
  variable: null,
  source: 'https://example.com',
  ...rest,
});

const CLIENTS = [
  { client: 'claude-code', title: 'Claude Code', limits: limits({ cut: 25_000 }) },
  { client: 'codex', title: 'Codex', limits: limits({ cut: 25_000, source: 'Sightglass' }) },
  { client: 'caliban', title: 'caliban', limits: limits({}) },
] as ModelClientView[];

const having = (...clients: Client[]) =>
  ({
    clients: CLIENTS.map(({ client }) => ({ client, found: clients.includes(client) })),
  }) as unknown as ConfigurationView;

test('what a tool answered is estimated by its length', () => {
  expect(tokensAbout(report(text(400), text(40)))).toBe(110);
  expect(tokensAbout(report(text(400, 'user')))).toBe(0);
  expect(tokensAbout({ result: null } as CallReport)).toBe(0);
  expect(isLongForClients(110)).toBe(false);
});

test('the clients that are here and have limits say what they do with it', () => {
  const tokens = tokensAbout(report(text(10 * MEBIBYTE)));
  const told = (...clients: Client[]) =>
    exceededLimits(tokens, CLIENTS, having(...clients)).map(LIMITS.exceeded);
  expect(told('claude-code', 'codex', 'caliban')).toEqual([
    'Claude Code cuts results after 25,000.',
    'caliban warns of results from 10,000.',
  ]);
  expect(told('caliban')).toEqual(['caliban warns of results from 10,000.']);
  // Nobody with limits is here: the one that most people know.
  expect(told('codex')).toEqual(['Claude Code cuts results after 25,000.']);
  expect(LIMITS.about(tokens)).toBe('About 2,600,000 tokens, by its length.');
});

test('a result within the limits is no matter', () => {
  expect(exceededLimits(9_000, CLIENTS, having('claude-code', 'caliban'))).toEqual([]);
  const between = exceededLimits(12_000, CLIENTS, having('claude-code'));
  expect(between.map(LIMITS.exceeded)).toEqual(['Claude Code warns of results from 10,000.']);
});
