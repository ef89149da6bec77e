import { expect, startingWith, test } from './support/sightglass';

test('a call is run with the focus in the main pane, and from nowhere else', async ({
  sightglass,
}) => {
  const { page, result, traffic, trafficFilter } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  await page.getByRole('textbox', { name: /Message/ }).fill('once');
  await trafficFilter.fill('method:tools/call');
  for (const place of [trafficFilter, traffic, sightglass.server('Demo')]) {
    await place.focus();
    await page.keyboard.press('Control+Enter');
  }
  await sightglass.tool('echo').focus();
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('once');
  await expect(sightglass.trafficRow('echo')).toHaveCount(1);
});

test('a bookmark is set with the focus in the traffic, and from nowhere else', async ({
  sightglass,
}) => {
  const { page, traffic, trafficDetail } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  await sightglass.trafficRow('tools/list').first().click();
  const note = trafficDetail.getByRole('textbox', { name: 'Note' });
  const marked = traffic
    .getByRole('row')
    .filter({ has: page.getByRole('img', { name: /^Bookmarked/ }) });
  for (const place of [sightglass.tool('echo'), sightglass.server('Demo')]) {
    await place.focus();
    await page.keyboard.press('Control+d');
  }
  await expect(marked).toHaveCount(0);
  await traffic.focus();
  await page.keyboard.press('Control+d');
  await expect(note).toBeFocused();
});

test('a change is reviewed with the focus where it is edited, and from nowhere else', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openConfig();
  await sightglass.selectConfig('filesystem');
  await sightglass.explanation('filesystem').getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Add argument' }).click();
  const argument = page.getByRole('textbox', { name: 'Argument 3' });
  await argument.fill('/srv/shared');
  await expect(page.locator('.cm-content')).toContainText('"/srv/shared"');
  const dialog = sightglass.dialog('Review the change');
  for (const place of [
    sightglass.server('Demo'),
    page.getByRole('button', { name: startingWith('Config') }),
  ]) {
    await place.focus();
    await page.keyboard.press('Control+s');
  }
  await expect(dialog).toHaveCount(0);
  await argument.focus();
  await page.keyboard.press('Control+s');
  await expect(dialog).toBeVisible();
});
