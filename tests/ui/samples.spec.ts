import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/sightglass';

/** What the unit tests of the window know of a configuration. */
const SAMPLE = join(__dirname, '../../ui/src/test-support/scopes.json');

/** Set to write the sample anew, after a change of what the backend says. */
const UPDATE = process.env.SIGHTGLASS_UPDATE_SAMPLES;

interface Client {
  client: string;
  found: boolean;
  servers: { name: string }[];
}

/** What another program did while the scenario was prepared differs from run to run. */
const VOLATILE = new Set(['revision', 'changedOutside', 'since']);

test('the sample of the unit tests is what the backend says', async ({ sightglass }) => {
  await sightglass.open('scopes');
  const root = (await sightglass.path('x')).slice(0, -2);
  const view = (await sightglass.invoke('get_configuration')) as { clients: Client[] };
  const clients = view.clients.filter(({ client, found }) => found || client === 'mcp-json');
  const { servers } = (await sightglass.invoke('get_snapshot')) as {
    servers: { name: string; target: { client: string } | null }[];
  };
  const explanations: Record<string, Record<string, unknown>> = {};
  for (const { client, servers } of clients) {
    if (client !== 'mcp-json' && client !== 'claude-code') continue;
    const explained: Record<string, unknown> = {};
    for (const { name } of servers) {
      explained[name] = await sightglass.invoke('explain_configuration', { client, name });
    }
    explanations[client] = explained;
  }
  const sample = {
    configuration: { ...view, clients },
    servers: servers.filter(({ target }) => target?.client === 'mcp-json'),
    explanations,
  };
  const repository = join(__dirname, '../..');
  const text = JSON.stringify(sample, (key, value) => (VOLATILE.has(key) ? 0 : value), 1)
    .replaceAll(`${root}/home`, '/home/ada')
    .replaceAll(`${root}/project`, '/srv/acme-web')
    .replaceAll(root, '')
    .replaceAll(`${repository}/tests/node_modules`, '/opt/node_modules');
  if (UPDATE) writeFileSync(SAMPLE, `${text}\n`);
  expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(SAMPLE, 'utf8')));
});
