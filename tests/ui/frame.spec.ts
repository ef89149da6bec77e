import type { Locator } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

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

/** Counts the controls; of the list of servers and of that of tools, one row and three. */
async function countControls({ page }: Sightglass): Promise<number> {
  const seen = (controls: Locator) => controls.filter({ visible: true }).count();
  const fields = page.locator('[data-arguments] :is(button, input, textarea)');
  const others = (await seen(page.getByRole('option'))) + (await seen(fields));
  return (await seen(page.locator(CONTROLS))) - others + 4;
}

test('the tools of a small server have few controls around them', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.open();
  await sightglass.select('filesystem');
  await sightglass.show('Tools');
  await expect(sightglass.runButton).toBeVisible();
  const tabs = page.locator('[data-main]').getByRole('tablist').first().getByRole('tab');
  expect(await tabs.count()).toBeLessThanOrEqual(6);
  await expect.poll(() => countControls(sightglass)).toBeLessThanOrEqual(35);
  // A result adds none that is not wanted, in either of its forms.
  for (const [tool, fill] of [
    ['list_allowed_directories', async () => {}],
    ['list_directory', () => page.getByRole('textbox', { name: /path/i }).fill('.')],
  ] as const) {
    await sightglass.findTool(tool);
    await page.getByRole('searchbox', { name: 'Filter tools' }).fill('');
    await fill();
    await sightglass.runButton.click();
    await expect(result).toContainText('Done in');
    await expect.poll(() => countControls(sightglass)).toBeLessThanOrEqual(35);
    // Neither does the pointer in it, wherever it is, add more than one.
    const seen = result.locator('article');
    for (const place of [seen, seen.locator('pre, [role=treeitem]').first(), seen.locator('bdi')]) {
      if ((await place.count()) === 0) continue;
      await place.first().hover();
      await expect.poll(() => countControls(sightglass)).toBeLessThanOrEqual(35);
    }
  }
});

test('what can be done with a part of a result comes with the pointer and with Tab', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('result_text');
  await sightglass.runButton.click();
  await expect(result).toContainText('Done in');
  const view = result.getByRole('button', { name: 'Text', exact: true });
  await expect(view).toHaveCount(1);
  await expect(view).toBeHidden();
  await result.locator('bdi').hover();
  await expect(view).toBeVisible();
  const expectation = result.getByRole('button', { name: 'Expect', exact: true });
  await expect(expectation).toBeHidden();
  await result.locator('pre').hover();
  await expect(expectation).toBeVisible();
  await expect(view).toBeHidden();
  await sightglass.runButton.hover();
  await expect(view).toBeHidden();
  await expect(expectation).toBeHidden();
  await result.getByRole('button', { name: 'History' }).focus();
  const reached = () => view.evaluate((button) => button === document.activeElement);
  for (let tabs = 0; tabs < 8 && !(await reached()); tabs += 1) await page.keyboard.press('Tab');
  expect(await reached()).toBe(true);
  await expect(view).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Save text…' })).toBeVisible();
});

test('all that can be done with a result is in the palette too', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('result_text');
  await sightglass.runButton.click();
  await expect(result).toContainText('Done in');
  await sightglass.run('Show the whole response');
  await expect(result.getByText('The whole JSON-RPC response')).toBeVisible();
  await sightglass.run('Show the result');
  await sightglass.run('Expect a value of the result');
  const equals = page.getByRole('menuitem', { name: /^Equals/ });
  await expect(equals).toBeVisible();
  // It takes the focus a frame after it is drawn.
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(equals).toHaveCount(0);
  await sightglass.run('Save as test');
  await expect(sightglass.dialog('Save as test')).toBeVisible();
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
