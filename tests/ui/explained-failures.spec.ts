import { expect, startingWith, test } from './support/sightglass';

test('a crash in a call is explained in its result, and the overview remembers it', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('crash');
  await sightglass.runButton.click();
  const dialog = page.getByRole('dialog', { name: 'Call crash?' });
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  const panel = result.getByRole('region', { name: startingWith('The server crashed') });
  await expect(panel).toContainText(/\(exit \d+\) before it answered/);
  await expect(panel).toContainText('tools/call crash');
  await expect(panel.getByRole('button', { name: 'Run again' })).toBeVisible();
  await expect(panel.getByRole('status')).toHaveText(
    /^It was started again by itself .+ later\.$/,
    { timeout: 30_000 },
  );
  await panel.getByRole('button', { name: 'Show messages' }).click();
  const detail = sightglass.trafficDetail;
  await expect(detail.getByRole('heading', { level: 3 })).toHaveText(/tools\/call.*crashed/);
  await expect(
    detail.getByRole('region', { name: startingWith('The server crashed') }),
  ).toBeVisible();

  await sightglass.show('Overview');
  await expect(sightglass.phase).toHaveText('Ready');
  const verdict = page.getByRole('region', { name: /^Works/ });
  await expect(verdict).toContainText('Crashed once, less than a minute ago, in crash.');
  await expect(verdict.locator('code', { hasText: /^crash$/ })).toBeVisible();
  await expect(verdict).toContainText('fatal: the demo server was asked to crash');
});

/** A server that needs a variable, which its entry does not set. */
const LACKING = `test -n "$DATABASE_URL" || { echo "KeyError: 'DATABASE_URL'" >&2; exit 1; }`;
const FILE = 'home/.claude/.mcp.json';

test('a variable that a program lacks is set where its failure is told, for this session', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('obstacles');
  const { servers } = (await sightglass.invoke('get_snapshot')) as {
    servers: { name: string; summary: string }[];
  };
  const program = servers.find(({ name }) => name === 'unset')?.summary ?? '';
  const entry = { command: '/bin/sh', args: ['-c', `${LACKING}; exec ${program}`] };
  await sightglass.writeFile(FILE, JSON.stringify({ mcpServers: { orders: entry } }, null, 2));
  await sightglass.select('orders');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(sightglass.phase).toHaveText('Failed: DATABASE_URL is not set (exit 1)');
  const panel = page.getByRole('region', { name: 'Failed: DATABASE_URL is not set (exit 1)' });
  const set = panel.getByRole('button', { name: 'Set it and connect' });
  await expect(set).toBeDisabled();
  await panel.getByLabel('DATABASE_URL').fill('postgres://localhost/orders');
  await set.click();
  await expect(sightglass.phase).toHaveText('Ready');
  await expect(page.getByRole('region', { name: 'Set for this session' })).toContainText(
    'DATABASE_URL',
  );
  expect(await sightglass.readFile(FILE)).not.toContain('postgres');
});

test('a variable that a program lacks is saved in its entry, once the difference was seen', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('obstacles');
  const entry = { command: '/bin/sh', args: ['-c', LACKING], env: { LOG_LEVEL: 'debug' } };
  await sightglass.writeFile(FILE, JSON.stringify({ mcpServers: { orders: entry } }, null, 2));
  await sightglass.select('orders');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Failed: DATABASE_URL is not set (exit 1)' });
  await panel.getByLabel('DATABASE_URL').fill('postgres://localhost/orders');
  await panel.getByRole('button', { name: 'Save in its entry…' }).click();
  const dialog = sightglass.dialog('Save DATABASE_URL in its entry');
  await expect(dialog).toContainText('DATABASE_URL');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(await sightglass.readFile(FILE)).toContain(
    '"DATABASE_URL": "postgres://localhost/orders"',
  );
});

test('a program that is misspelt is replaced by the one that is meant', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('obstacles');
  const entry = { command: 'nodee', args: ['server.js'] };
  await sightglass.writeFile(FILE, JSON.stringify({ mcpServers: { time: entry } }, null, 2));
  await sightglass.select('time');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Use node…' }).click();
  const dialog = sightglass.dialog('Use node');
  await expect(dialog).toContainText('"command": "node"');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(await sightglass.readFile(FILE)).toContain('"command": "node"');
});

test('a call that lacks a permission names it, and signs in for it and runs again', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.open('signin');
  await sightglass.select('linear');
  await sightglass.settings('Sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(sightglass.phase).toHaveText('Ready');
  await sightglass.show('Tools');
  await sightglass.findTool('add');
  await page.getByRole('textbox', { name: 'A', exact: true }).fill('1');
  await page.getByRole('textbox', { name: 'B', exact: true }).fill('2');
  await sightglass.runButton.click();
  const panel = result.getByRole('region', { name: 'Permission admin is missing' });
  await expect(panel).toContainText('HTTP 403');
  await expect(sightglass.trafficRow('tools/call').last()).toContainText('403');
  await expect(sightglass.phase).toHaveText('Ready');
  await panel.getByRole('button', { name: 'Sign in for it and run again' }).click();
  await expect(result.getByRole('status').first()).toContainText(/^✓?\s*Done in/);
  await expect(panel).toHaveCount(0);
});

test('checks of a server are left out of its traffic until they are asked for', async ({
  sightglass,
}) => {
  await sightglass.open('connections');
  await sightglass.select('rich');
  await expect(await sightglass.examine()).toContainText('All checks passed.');
  await expect(sightglass.trafficRow('rich (check)')).toHaveCount(0);
  await sightglass.trafficFilter.fill('is:check exit');
  await expect(sightglass.trafficRow('rich (check)').first()).toContainText('exit');
  await sightglass.trafficFilter.clear();
  await expect(sightglass.trafficRow('rich (check)')).toHaveCount(0);
  await sightglass.toggleRows('Checks');
  await expect(sightglass.trafficRow('rich (check)').first()).toBeVisible();
});
