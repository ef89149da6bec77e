import { beforeEach, expect, test, vi } from 'vitest';
import type { NameCandidate } from '@/backend/bindings';
import { useServers } from '@/state/servers/servers';
import { stubBackend } from '@/test-support/backend';
import { demoServer, disconnected } from '@/test-support/servers';
import { findPlaces } from './palette-entries';

const candidate = (rest: Partial<NameCandidate>): NameCandidate => ({
  scheme: 'claudeCode',
  kind: 'tool',
  server: 'demo',
  item: 'echo',
  basis: 'listed',
  ...rest,
});

const items = vi.fn();

function finding(...candidates: NameCandidate[]) {
  return stubBackend({ listItems: items, resolveModelName: async () => candidates });
}

beforeEach(() => {
  const status = { ...disconnected(), phase: 'ready' as const };
  useServers.setState({ servers: [{ ...demoServer(), status }] });
  items.mockReset();
  items.mockResolvedValue({ rows: [] });
});

test('the names that clients give lead to their tool, resource or prompt', async () => {
  for (const [text, kind, item, list, tab] of [
    ['mcp__demo__echo', 'tool', 'echo', 'tools', 'tools'],
    ['/mcp__demo__greet', 'prompt', 'greet', 'prompts', 'prompts'],
    ['@demo:demo://text', 'resource', 'demo://text', 'resources', 'resources'],
  ] as const) {
    const found = await findPlaces(finding(candidate({ kind, item })), text);
    expect(found).toEqual([{ server: 'built-in:demo', tab, list, name: item, called: text }]);
  }
});

test('what several clients call alike stands once, and what none lists not at all', async () => {
  const alike = [candidate({}), candidate({ scheme: 'chimera' })];
  expect(await findPlaces(finding(...alike), 'mcp__demo__echo')).toHaveLength(1);
  const unknown = candidate({ server: 'other', item: 'x', basis: 'form' });
  expect(await findPlaces(finding(unknown), 'mcp__other__x')).toEqual([]);
});

test('a name that goes on is looked for on its server', async () => {
  items.mockImplementation(async (_server, list, text) => ({
    rows: list === 'tools' && text === 'ec' ? [{ name: 'echo' }] : [],
  }));
  const begun = candidate({ item: 'ec', basis: 'knownServer' });
  expect(await findPlaces(finding(begun), 'mcp__demo__ec')).toEqual([
    { server: 'built-in:demo', tab: 'tools', list: 'tools', name: 'echo', called: 'mcp__demo__ec' },
  ]);
});

test('other texts are no names of clients', async () => {
  const resolveModelName = vi.fn();
  await findPlaces(stubBackend({ listItems: items, resolveModelName }), 'echo');
  expect(resolveModelName).not.toHaveBeenCalled();
});
