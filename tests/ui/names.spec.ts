import type { Locator } from '@playwright/test';
import { expect, test } from './support/sightglass';

const SERVER = 'خادم الأرشيف';

/** Pixels by which the content of an element is wider than it. */
function overflow(element: Locator): Promise<number> {
  return element.evaluate((found) => found.scrollWidth - found.clientWidth);
}

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('names');
  const servers = sightglass.page.getByRole('listbox', { name: 'Servers' });
  await servers.getByRole('option').filter({ hasText: SERVER }).click();
  await sightglass.show('Tools');
});

test('a name from right to left stands apart from what follows it', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.tool('archive_search').click();
  const label = page.locator('label', { hasText: 'نص' });
  await expect(label.locator('bdi')).toHaveText('نص');
  const meta = page.getByText('نص · string · required');
  await expect(meta.locator('bdi')).toHaveText('نص');
  // The name comes first, whatever its direction.
  const name = await meta.locator('bdi').boundingBox();
  const whole = await meta.boundingBox();
  expect(name?.x).toBeCloseTo(whole?.x ?? 0, 0);
  const description = sightglass.tool('archive_search').locator('[dir="auto"]');
  await expect(description).toHaveCSS('direction', 'rtl');
});

for (const width of [1440, 720]) {
  test(`no name makes a form scroll sideways at ${width}`, async ({ sightglass }) => {
    const { page } = sightglass;
    await page.setViewportSize({ width, height: width === 720 ? 480 : 900 });
    for (const tool of ['archive_search', 'long_names']) {
      await sightglass.tool(tool).click();
      const form = page.getByRole('group', { name: 'Arguments', exact: true });
      await expect(form).toBeVisible();
      for (const add of await form.getByRole('button', { name: /^Add/ }).all()) {
        if (await add.isVisible()) await add.click();
      }
      const scroller = form.locator('xpath=ancestor::*[@data-arguments]/..');
      expect(await overflow(scroller)).toBeLessThanOrEqual(0);
      expect(await overflow(form)).toBeLessThanOrEqual(0);
    }
  });
}
