import type { Locator } from '@playwright/test';
import { expect, type Sightglass, startingWith, test } from './support/sightglass';

/**
 * Presses a key with the focus in a place, and then one that acts everywhere. Once the second has
 * acted, the first has done what it does.
 */
async function pressIn({ page }: Sightglass, place: Locator, key: string): Promise<void> {
  const filter = page.getByRole('searchbox', { name: 'Filter servers' });
  await place.focus();
  await page.keyboard.press(key);
  await page.keyboard.press('Control+Shift+l');
  await expect(filter).toBeFocused();
}

interface Rows {
  total: number;
  complete: boolean;
  rows: { bookmark: string | null }[];
}

/** Returns the rows of the traffic that match a filter, as the backend has them. */
async function rowsOf(sightglass: Sightglass, filter: string): Promise<Rows> {
  const query = { filter, kinds: [], invert: false, server: null, until: null };
  const page = await sightglass.invoke('list_traffic', {
    session: null,
    query,
    offset: 0,
    limit: 50,
  });
  return page as Rows;
}

test('a call is run with the focus in the main pane or on its server, and from nowhere else', async ({
  sightglass,
}) => {
  const { page, result, traffic, trafficFilter } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  const message = page.getByRole('textbox', { name: /Message/ });
  await message.fill('wrong');
  // It is there as soon as the key of `pressIn` asked for it.
  const serverFilter = page.getByRole('searchbox', { name: 'Filter servers' });
  for (const place of [trafficFilter, traffic, serverFilter]) {
    await pressIn(sightglass, place, 'Control+Enter');
  }
  await message.fill('right');
  await sightglass.tool('echo').focus();
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('right');
  await message.fill('again');
  await sightglass.server('Demo').focus();
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('again');
  // The calls of one connection are sent in their order, so a wrong one is on record by now.
  await expect
    .poll(() => rowsOf(sightglass, 'method:tools/call'))
    .toMatchObject({ total: 2, complete: true });
});

test('a server is connected wherever the focus is, but in a field', async ({ sightglass }) => {
  const { page, phase } = sightglass;
  await sightglass.open('welcome');
  await sightglass.select('Demo');
  await page.keyboard.press('Control+Shift+l');
  const filter = page.getByRole('searchbox', { name: 'Filter servers' });
  await pressIn(sightglass, filter, 'Control+Enter');
  await expect(phase).toHaveText('Disconnected');
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await expect(connect).toContainText('Ctrl+Enter');
  await sightglass.server('Demo').click();
  await page.keyboard.press('Control+Enter');
  await expect(phase).toHaveText('Ready');
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(phase).toHaveText('Disconnected');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  await page.keyboard.press('Control+Enter');
  await expect(phase).toHaveText('Ready');
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
    await pressIn(sightglass, place, 'Control+d');
    const { rows } = await rowsOf(sightglass, 'method:tools/list');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ bookmark }) => bookmark !== null)).toEqual([]);
  }
  await traffic.focus();
  await page.keyboard.press('Control+d');
  await expect(note).toBeFocused();
  await note.fill('right');
  await note.press('Enter');
  await expect(marked).toHaveCount(1);
  const { rows } = await rowsOf(sightglass, 'note:right');
  expect(rows.map(({ bookmark }) => bookmark)).toEqual(['right']);
});

test('a change is reviewed with the focus where it is edited, and from nowhere else', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('filesystem');
  await sightglass.explanation('filesystem').getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Add argument' }).click();
  const argument = page.getByRole('textbox', { name: 'Argument 3' });
  await argument.fill('/srv/shared');
  await expect(page.locator('.cm-content')).toContainText('"/srv/shared"');
  const dialog = sightglass.dialog('Review the change');
  for (const place of [
    sightglass.server('Demo'),
    page.getByRole('button', { name: startingWith('Setup') }),
  ]) {
    // An open dialog would keep the second key from acting.
    await pressIn(sightglass, place, 'Control+s');
    expect(await dialog.count()).toBe(0);
  }
  await argument.focus();
  await page.keyboard.press('Control+s');
  await expect(dialog).toBeVisible();
});
