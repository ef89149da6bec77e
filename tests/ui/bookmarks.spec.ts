import { expect, test } from './support/sightglass';

test('a row has a bookmark with a note, is found by it, and loses it', async ({ sightglass }) => {
  const { page, trafficDetail } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const traffic = page.getByRole('grid', { name: 'Traffic' });
  const filter = page.getByRole('searchbox', { name: 'Filter traffic' });
  await filter.fill('method:prompts/list');
  await traffic
    .getByRole('row', { name: /prompts\/list/ })
    .first()
    .click();
  await trafficDetail.getByRole('button', { name: 'Bookmark', exact: true }).click();
  const note = trafficDetail.getByRole('textbox', { name: 'Note' });
  await note.fill('ask Ada about the page');
  await note.press('Enter');
  const row = traffic.getByRole('row', { name: /ask Ada/ });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Bookmarked');
  await filter.fill('is:bookmarked');
  await expect(row).toHaveCount(1);
  await filter.fill('note:nobody');
  await expect(row).toHaveCount(0);
  await filter.fill('note:ada');
  await expect(row).toHaveCount(1);
  // The operations show it, too.
  await page.getByRole('radio', { name: 'Operations', exact: true }).click();
  await expect(page.getByRole('row', { name: /ask Ada/ })).toHaveCount(1);
  await page.getByRole('radio', { name: 'Messages', exact: true }).click();
  await row.click();
  await trafficDetail.getByRole('button', { name: 'Remove bookmark' }).click();
  await expect(row).toHaveCount(0);
  await filter.fill('method:prompts/list');
  await traffic
    .getByRole('row', { name: /prompts\/list/ })
    .first()
    .click();
  await page.keyboard.press('Control+d');
  await expect(trafficDetail.getByRole('button', { name: 'Remove bookmark' })).toBeVisible();
});
