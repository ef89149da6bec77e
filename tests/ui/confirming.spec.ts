import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('annotated');
});

test('a destructive call is confirmed, once or for the session', async ({ sightglass }) => {
  const { page, result } = sightglass;
  const dialog = page.getByRole('dialog', { name: 'Call annotated?' });
  await sightglass.runButton.click();
  await expect(dialog).toContainText('may destroy something');
  await expect(dialog).toContainText('Demo');
  const refuse = dialog.getByRole('button', { name: 'Don’t call' });
  await expect(refuse).toBeFocused();
  await expect(refuse).toHaveCSS('outline-style', 'solid');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(result).toContainText('was not confirmed');
  await expect(result).toContainText('Nothing was sent');

  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByText('Do not ask again').click();
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(result).toContainText('Nothing was destroyed.');

  await page.keyboard.press('Control+Enter');
  await expect(result.getByRole('button', { name: 'History' })).toHaveText(/3/);
  await expect(dialog).toBeHidden();
});

test('a call that waits is cancelled where it was made', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.runButton.click();
  const dialog = page.getByRole('dialog', { name: 'Call annotated?' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Don’t call' }).click();
  await expect(result).toContainText('was not confirmed');
  // A key that is still held does not confirm what it has just asked for.
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.down('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.up('Enter');
  await page.keyboard.up('Control');
});

test('calls are held to the rules of a client, which are named', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.writeFile(
    'home/.claude/settings.json',
    JSON.stringify(
      { permissions: { deny: ['mcp__demo__add'], ask: ['mcp__demo__echo'] } },
      null,
      2,
    ),
  );
  await sightglass.show('In clients');
  await page.getByRole('button', { name: /Client$/ }).click();
  await page.getByRole('option', { name: 'Claude Code', exact: true }).click();
  await page.getByRole('radio', { name: 'Permissions', exact: true }).click();
  const held = page.getByRole('switch', { name: 'Hold calls of Demo to these rules' });
  await page.getByText('Hold calls of Demo to these rules').click();
  await expect(held).toBeChecked();
  await sightglass.show('Tools');
  await sightglass.findTool('add');
  await sightglass.runButton.click();
  await expect(result).toContainText('deny calls of add');
  await expect(result).toContainText('mcp__demo__add in ');
  await sightglass.findTool('echo');
  await page.getByRole('textbox', { name: /Message/ }).fill('hello');
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Call echo?' });
  await expect(dialog).toContainText('The rules of Claude Code');
  await expect(dialog).toContainText('settings.json:7');
  await expect(dialog).toContainText('hello');
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(result).toContainText('Done in');
});
