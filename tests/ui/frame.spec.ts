import { expect, test } from './support/sightglass';

test('the sidebar has what is connected first, then where the rest comes from', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  const group = (name: string) =>
    page.getByRole('listbox', { name: 'Servers' }).getByRole('group', { name, exact: true });
  await expect(group('Connected')).toHaveCount(0);
  await expect(group('Yours').getByRole('option', { name: /^notes\b/ })).toContainText(
    'in Claude Code',
  );
  await sightglass.connect('notes');
  await expect(group('Connected').getByRole('option', { name: /^notes\b/ })).toContainText('≈');
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(group('Yours').getByRole('option', { name: /^notes\b/ })).toBeVisible();
});

test('a plain server has few tabs, and none before it was connected', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.select('notes');
  const tabs = page.locator('[data-main]').getByRole('tablist').first().getByRole('tab');
  await expect(tabs).toHaveText(['Overview', 'Settings']);
  await sightglass.connect('notes');
  await expect(tabs.first()).toHaveText('Overview');
  await expect(tabs.last()).toHaveText('Settings');
  await expect(page.getByRole('tab', { name: /^Checks/ })).toBeVisible();
});

/** Everything that can be pressed, chosen or filled in, and is seen. */
const CONTROLS =
  'button, input, select, textarea, [role=tab], [role=option], [role=radio], [role=switch]';

test('the tools of a small server have few controls around them', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.select('filesystem');
  await sightglass.show('Tools');
  await expect(sightglass.runButton).toBeVisible();
  const tabs = page.locator('[data-main]').getByRole('tablist').first().getByRole('tab');
  expect(await tabs.count()).toBeLessThanOrEqual(6);
  // Of the list of servers and of that of tools, one row and three are counted.
  const rows = page.getByRole('option');
  const fields = page.locator('[data-arguments] :is(button, input, textarea)');
  const count = async () => {
    const all = await page.locator(CONTROLS).filter({ visible: true }).count();
    const listed = await rows.filter({ visible: true }).count();
    return all - listed - (await fields.filter({ visible: true }).count()) + 4;
  };
  await expect.poll(count).toBeLessThanOrEqual(35);
});

test('a server is restarted where it is looked at, and the tab stays', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  const lists = sightglass.trafficRow('tools/list');
  const pages = await lists.count();
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect.poll(() => lists.count()).toBeGreaterThan(pages);
  await expect(sightglass.phase).toHaveText('Ready');
  await expect(page.getByRole('tab', { name: /^Tools/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Restart', exact: true })).toBeVisible();
});

test('tabs that do not fit are in a menu, which has the name of the one that is shown', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await page.setViewportSize({ width: 560, height: 600 });
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const main = page.locator('[data-main]');
  await main.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(main.getByRole('radio', { name: 'Definition' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Settings', exact: true })).toBeVisible();
});
