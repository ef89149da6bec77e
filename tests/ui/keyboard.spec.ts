import type { Page } from '@playwright/test';
import { expect, startingWith, test } from './support/sightglass';

/** Presses Tab until the element in focus has this role and a name that begins so. */
async function tabTo(page: Page, role: string, name: string): Promise<void> {
  const wanted = startingWith(name);
  for (let step = 0; step < 60; step++) {
    const focused = page.locator(':focus');
    if ((await focused.count()) === 1) {
      const matching = page.getByRole(role as 'button', { name: wanted }).and(focused);
      if ((await matching.count()) === 1) return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to the ${role} "${name}"`);
}

test('a person connects, runs a tool and reads its traffic without a pointer', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');

  await tabTo(page, 'option', 'Demo');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Connect');
  await page.keyboard.press('Enter');
  await expect(sightglass.phase).toHaveText('Ready');

  await tabTo(page, 'tab', 'Overview');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: startingWith('Tools') })).toBeFocused();

  await tabTo(page, 'option', '');
  await expect(sightglass.toolList.getByRole('option').first()).toBeVisible();
  for (let step = 0; step < 40; step++) {
    if (await sightglass.tool('echo').evaluate((row) => row === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');

  await page.keyboard.press('Control+l');
  await page.keyboard.type('From the keyboard');
  await page.keyboard.press('Control+Enter');
  await expect(sightglass.result).toContainText('From the keyboard');

  await page.keyboard.press('Control+Shift+f');
  await expect(sightglass.trafficFilter).toBeFocused();
  await page.keyboard.type('method:tools/call');
  await expect(sightglass.trafficRow('echo')).toHaveCount(1);
  // The heading and the call: the filter has been applied.
  await expect(sightglass.traffic.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(sightglass.traffic).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(sightglass.trafficDetail).toContainText('From the keyboard');
  await page.keyboard.press('Escape');
  await expect(sightglass.trafficDetail).toHaveCount(0);
  await expect(sightglass.traffic).toBeFocused();
});

test('the palette leads to a tool by its name', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await page.keyboard.press('Control+p');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await page.keyboard.type('search_files');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await expect(palette.getByRole('option', { name: 'search_files' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(sightglass.tool('search_files')).toHaveAttribute('aria-selected', 'true');
});

test('the palette knows what clients call a tool, a prompt and a resource', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const items = palette.getByRole('group', { name: 'Tools, resources and prompts' });
  for (const [name, item] of [
    ['mcp__demo__echo', 'echo'],
    ['/mcp__demo__simple', 'simple'],
    ['@demo:demo://greeting', 'demo://greeting'],
  ] as const) {
    await page.keyboard.press('Control+p');
    await page.keyboard.insertText(name);
    await expect(items.getByRole('option').first()).toContainText(item);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Control+p');
  await page.keyboard.insertText('mcp__demo__echo');
  await page.keyboard.press('Enter');
  await expect(sightglass.tool('echo')).toHaveAttribute('aria-selected', 'true');
});

test('an Enter that is faster than the matches still opens the first', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await page.keyboard.press('Control+p');
  await page.keyboard.insertText('search_files');
  await page.keyboard.press('Enter');
  await expect(sightglass.tool('search_files')).toHaveAttribute('aria-selected', 'true');
});

test('the drawer opens and closes by its shortcut', async ({ sightglass }) => {
  await sightglass.open();
  await expect(sightglass.traffic).toBeVisible();
  await sightglass.page.keyboard.press('Control+j');
  await expect(sightglass.traffic).toHaveCount(0);
  await sightglass.page.keyboard.press('Control+j');
  await expect(sightglass.traffic).toBeVisible();
});
