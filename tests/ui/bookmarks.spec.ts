import { expect, type Sightglass, test } from './support/sightglass';

async function echo(sightglass: Sightglass, message: string): Promise<void> {
  await sightglass.page.getByRole('textbox', { name: 'Message' }).fill(message);
  await sightglass.runButton.click();
  await expect(sightglass.result).toContainText(message);
}

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  for (const message of ['first', 'second']) await echo(sightglass, message);
});

test('a row takes a bookmark by key, its note is found, and both stand in every view', async ({
  sightglass,
}) => {
  const { page, traffic, trafficDetail, trafficFilter } = sightglass;
  await trafficFilter.fill('method:tools/call');
  const marked = traffic
    .getByRole('row')
    .filter({ has: page.getByRole('img', { name: /^Bookmarked/ }) });
  await traffic.getByRole('row').filter({ hasText: 'tools/call' }).first().click();
  await page.keyboard.press('Control+d');
  const note = trafficDetail.getByRole('textbox', { name: 'Note' });
  await expect(note).toBeFocused();
  await note.fill('Wrong answer, ask Ada');
  await note.press('Enter');
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText('Wrong answer, ask Ada');
  // The same key leads to the note that is there.
  await page.keyboard.press('Control+d');
  await expect(note).toHaveValue('Wrong answer, ask Ada');
  await trafficFilter.fill('note:ada');
  await expect(marked).toHaveCount(1);
  await sightglass.showTraffic('Calls');
  const operation = sightglass.operations.getByRole('row').filter({ hasText: 'Wrong answer' });
  await expect(operation).toHaveCount(1);
  await sightglass.showTraffic('Raw');
  await trafficFilter.fill('is:bookmarked');
  await expect(marked).toHaveCount(1);
  await trafficDetail.getByRole('button', { name: 'Remove the bookmark' }).click();
  await expect(marked).toHaveCount(0);
  await expect(trafficDetail.getByRole('textbox', { name: 'Note' })).toHaveCount(0);
});

test('a note that is too long is not kept, and unseen characters in one are shown', async ({
  sightglass,
}) => {
  const { page, traffic, trafficDetail, trafficFilter } = sightglass;
  await trafficFilter.fill('method:tools/call');
  const row = traffic.getByRole('row').filter({ hasText: 'tools/call' }).first();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Bookmark', exact: true }).click();
  const note = trafficDetail.getByRole('textbox', { name: 'Note' });
  await note.fill('x'.repeat(2_001));
  await expect(trafficDetail.getByText('A note has at most 2,000 characters.')).toBeVisible();
  await note.press('Enter');
  await expect(row).not.toContainText('xxx');
  await note.fill('safe\u202egnp.exe');
  await note.press('Enter');
  await expect(row).toContainText('safe\\u{202e}gnp.exe');
});

test('is: and note: are completed while they are typed', async ({ sightglass }) => {
  const { page, trafficFilter } = sightglass;
  await trafficFilter.pressSequentially('is');
  await expect(page.getByRole('option', { name: /^is:/ })).toBeVisible();
  await trafficFilter.press('Tab');
  await expect(page.getByRole('option', { name: 'is:bookmarked' })).toBeVisible();
  await trafficFilter.press('Tab');
  await expect(trafficFilter).toHaveValue('is:bookmarked ');
  await expect(sightglass.page.getByText('Nothing matches')).toBeVisible();
});
