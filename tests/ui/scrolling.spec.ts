import { expect, test } from './support/sightglass';

const MOST_ROWS = 100;

test('of ten thousand tools only those on the screen are drawn', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('many');
  await page.getByRole('listbox', { name: 'Servers' }).getByRole('option').first().click();
  await sightglass.show('Tools');
  const rows = sightglass.toolList.getByRole('option');
  await expect(rows.first()).toBeVisible();

  const box = await sightglass.toolList.boundingBox();
  if (!box) throw new Error('the list of tools has no place on the screen');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  let most = await rows.count();
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 5_000);
    most = Math.max(most, await rows.count());
  }
  expect(most).toBeLessThan(MOST_ROWS);

  await sightglass.toolList.focus();
  await page.keyboard.press('End');
  await expect(sightglass.toolList.locator('[aria-posinset="10000"]')).toBeVisible();
  expect(await rows.count()).toBeLessThan(MOST_ROWS);
});

test('of the traffic only the rows on the screen are drawn', async ({ sightglass }) => {
  await sightglass.open();
  const rows = sightglass.traffic.getByRole('row');
  await expect(sightglass.trafficRow('search_files')).toBeVisible();
  const total = Number(await sightglass.traffic.getAttribute('aria-rowcount'));
  expect(total).toBeGreaterThan(100);
  expect(await rows.count()).toBeLessThan(50);
});
