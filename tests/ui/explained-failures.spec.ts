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
  await expect(panel).toContainText(/exit code \d+/);
  await expect(panel).toContainText('tools/call crash');
  await expect(panel.getByRole('button', { name: 'Run again' })).toBeVisible();
  await expect(panel.getByRole('status')).toHaveText(
    /^It was started again by itself .+ later\.$/,
    { timeout: 30_000 },
  );
  await panel.getByRole('button', { name: 'Show messages' }).click();
  await expect(sightglass.trafficDetail).toContainText('tools/call');

  await sightglass.show('Overview');
  await expect(sightglass.phase).toHaveText('Ready');
  const verdict = page.getByRole('region', {
    name: 'Works. Crashed once, less than a minute ago, in crash.',
  });
  await expect(verdict).toContainText('fatal: the demo server was asked to crash');
});

test('a variable that a program lacks is set in its entry from the panel of the failure', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const script = `test -n "$DATABASE_URL" || { echo "KeyError: 'DATABASE_URL'" >&2; exit 1; }`;
  const file = 'home/.claude/.mcp.json';
  await sightglass.open('obstacles');
  const entry = { command: '/bin/sh', args: ['-c', script], env: { LOG_LEVEL: 'debug' } };
  await sightglass.writeFile(file, JSON.stringify({ mcpServers: { orders: entry } }, null, 2));
  await sightglass.select('orders');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Failed: exited with code 1' });
  await expect(panel).toContainText('Set it in this server');
  await panel.getByRole('button', { name: 'Set DATABASE_URL' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of variable 2' })).toHaveValue(
    'DATABASE_URL',
  );
  await expect(page.getByRole('textbox', { name: 'Value of variable 2' })).toBeFocused();
  await page.keyboard.type('postgres://localhost/orders');
  await page.keyboard.press('Control+s');
  const dialog = sightglass.dialog('Review the change');
  await expect(dialog).toContainText('DATABASE_URL');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(await sightglass.readFile(file)).toContain(
    '"DATABASE_URL": "postgres://localhost/orders"',
  );
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
  const panel = result.getByRole('region', { name: 'Needs the permission admin' });
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
  const { page } = sightglass;
  await sightglass.open('connections');
  await sightglass.select('rich');
  await sightglass.run('Doctor');
  await expect(page.getByRole('region', { name: 'Doctor' })).toContainText('All checks passed.');
  await expect(sightglass.trafficRow('rich (check)')).toHaveCount(0);
  await sightglass.trafficFilter.fill('is:check exit');
  await expect(sightglass.trafficRow('rich (check)').first()).toContainText('exit');
  await sightglass.trafficFilter.clear();
  await expect(sightglass.trafficRow('rich (check)')).toHaveCount(0);
  await sightglass.toggleRows('Checks');
  await expect(sightglass.trafficRow('rich (check)').first()).toBeVisible();
});
