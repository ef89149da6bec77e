import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

test('an extension is declared, and what the server makes of it is shown', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.settings('Connection');
  const table = page.getByRole('table', { name: 'Extensions of both sides' });
  const skills = table.getByRole('row', { name: /^Skills/ });
  await expect(skills).toContainText('Always on');
  await expect(skills.getByRole('cell').last()).toContainText('On');
  const apps = table.getByRole('row', { name: /^MCP Apps/ });
  await expect(apps.getByRole('cell').last()).toContainText('Off');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  await table.locator('label', { has: page.getByLabel('Declare MCP Apps') }).click();
  const dialog = sightglass.dialog('Declare MCP Apps to Demo?');
  await expect(dialog).toContainText('connected anew');
  await dialog.getByRole('button', { name: 'Reconnect and compare' }).click();
  await expect(dialog.getByRole('status')).toContainText('1 difference', { timeout: 30_000 });
  const changes = dialog.getByRole('list', { name: 'Changes' });
  await expect(changes).toContainText('declared_extensions');
  await dialog.getByText('Close', { exact: true }).click();
  await expect(apps).toContainText('Only this client');
  await expect(apps).toContainText('text/html;profile=mcp-app');
});

test('any extension is added', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.select('notes');
  await sightglass.settings('Connection');
  await page.getByRole('button', { name: 'Add extension…' }).click();
  const dialog = sightglass.dialog('Extensions declared to notes');
  await dialog.getByRole('textbox', { name: 'Extensions' }).fill('[]');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('JSON object');
  await dialog.getByRole('textbox', { name: 'Extensions' }).fill('{"com.example/x": {"depth": 2}}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row', { name: /^com\.example\/x/ });
  await expect(row).toContainText('{"depth":2}');
  await expect(row).toContainText('Not connected');
  await row.locator('label').click();
  await expect(row).toHaveCount(0);
});
