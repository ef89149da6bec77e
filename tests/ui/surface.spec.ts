import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

test('a tool that is gone is told in every tab, until the change is accepted', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const change = async (action: string) => {
    await sightglass.show('Tools');
    await sightglass.findTool('change_tools');
    await page
      .getByRole('button', { name: 'JSON', exact: true })
      .or(page.getByRole('radio', { name: 'JSON' }))
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Arguments' }).fill(JSON.stringify({ action }));
    await page.keyboard.press('Control+Enter');
    await expect(sightglass.result).toContainText(action === 'add' ? 'Added' : 'Removed');
  };
  await change('add');
  await change('remove');

  const banner = page.getByRole('alert').filter({ hasText: '1 breaks callers' });
  await expect(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Show changes' }).click();
  const row = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Breaks callers');
  await expect(row).toContainText('removed');
  await sightglass.showCheck('Findings');
  await page
    .getByRole('button', { name: /^Ignore all / })
    .first()
    .click();
  const toast = page.getByRole('region', { name: 'Messages' });
  await expect(page.getByText(/^Ignored: \d+ findings$/)).toBeVisible();
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/^Ignored: /)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Ignore / }).first()).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  await banner.getByRole('button', { name: 'Take over' }).click();
  await expect(banner).toHaveCount(0);
});

test('a server is compared with itself in another situation', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.run('Compare this server with');
  const dialog = sightglass.dialog('Compare Demo');
  const compareWith = async (name: string) => {
    await dialog.getByRole('button', { name: /Compare with/ }).click();
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
  };
  await compareWith('Itself, legacy generation');
  await expect(dialog.getByRole('status')).toContainText('difference', { timeout: 30_000 });
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('protocol-version');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  await compareWith('Itself, connected once more');
  await expect(dialog.getByRole('status')).toHaveText('Both show the same.', { timeout: 30_000 });
});
