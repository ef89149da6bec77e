import { expect, it } from 'vitest';
import type { ServerView, TokenTableView } from '@/backend/bindings';
import { serverSums } from '@/state/clients/token-sums';
import { profileSums } from './cost-sums';

function server(id: string, also: readonly string[] = []): ServerView {
  const [client, name] = id.split(':');
  return {
    id,
    name,
    target: { client, scope: 'user' },
    also: also.map((other) => ({ server: other, target: { client: other.split(':')[0] } })),
  } as unknown as ServerView;
}

/** A list of tools of so many tokens each. */
function counted(tools: readonly (readonly [server: string, tokens: number])[]) {
  const servers = [...new Set(tools.map(([id]) => id))];
  return {
    servers,
    tools: {
      server: tools.map(([id]) => servers.indexOf(id)),
      tokens: tools.map(([, tokens]) => tokens),
    },
  } as unknown as TokenTableView;
}

const SERVERS = [
  server('codex:small'),
  server('claude-code:large', ['codex:large']),
  server('codex:off'),
];
const VIEW = counted([
  ['codex:small', 5],
  ['claude-code:large', 70],
  ['claude-code:large', 30],
]);

it('adds the tools of each server up, the heaviest first', () => {
  expect(serverSums(VIEW, SERVERS)).toEqual([
    { id: 'claude-code:large', name: 'large', tools: 2, tokens: 100 },
    { id: 'codex:small', name: 'small', tools: 1, tokens: 5 },
  ]);
});

it('counts of a profile what this client has of it, and what is connected', () => {
  const profiles = [
    { name: 'minimal', servers: ['codex:small'] },
    { name: 'work', servers: ['codex:small', 'codex:large', 'codex:off'] },
    { name: 'elsewhere', servers: ['claude-code:large'] },
  ];
  // The one without tools is connected all the same.
  const connected = SERVERS.map(({ id }) => id);
  const scope = { client: 'codex', servers: SERVERS, connected } as const;
  expect(profileSums(serverSums(VIEW, SERVERS), scope, profiles)).toEqual([
    { name: 'work', connected: 3, servers: 3, tools: 3, tokens: 105 },
    { name: 'minimal', connected: 1, servers: 1, tools: 1, tokens: 5 },
  ]);
});
