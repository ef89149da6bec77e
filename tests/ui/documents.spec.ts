import { expect, type Sightglass, test } from './support/sightglass';

async function resource(sightglass: Sightglass, name: string): Promise<void> {
  await sightglass.page
    .getByRole('listbox', { name: 'Resources' })
    .getByRole('option', { name: `demo://${name}` })
    .click();
}

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Resources');
});

test('the pages of a PDF are drawn and its script does not run; a broken one can be saved', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => dialogs.push(dialog.message()));
  await resource(sightglass, 'document.pdf');
  await expect(result).toContainText('3 pages');
  await expect(result.getByRole('img', { name: 'Page 1 of 3' })).toBeVisible();
  await resource(sightglass, 'broken.pdf');
  await expect(result).toContainText('This is not a PDF, or a broken one.');
  await expect(result.getByRole('button', { name: 'Save as…' })).toBeVisible();
  expect(dialogs).toEqual([]);
});

test('the fonts and character maps that a PDF leaves out are those of the app', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  const loaded: string[] = [];
  page.on('requestfinished', (request) => loaded.push(request.url()));
  await resource(sightglass, 'document.pdf');
  await expect(result.getByRole('img', { name: 'Page 1 of 3' })).toBeVisible();
  for (const file of ['cmaps/UniJIS-UCS2-H.bcmap', 'standard_fonts/FoxitSymbol.pfb']) {
    await expect.poll(() => loaded.some((url) => url.endsWith(`/pdf/${file}`))).toBe(true);
  }
  const { origin } = new URL(page.url());
  const files = loaded.filter((url) => url.includes('/pdf/'));
  expect(files.filter((url) => !url.startsWith(origin))).toEqual([]);
});

test('text with commas between its values is a table too, which is sorted by its columns', async ({
  sightglass,
}) => {
  const { result } = sightglass;
  await resource(sightglass, 'table.csv');
  await result.hover();
  await result.getByRole('button', { name: /^(Text|Table)$/ }).click();
  await sightglass.page.getByRole('menuitemradio', { name: 'Table' }).click();
  const table = result.getByRole('grid', { name: /as a table/ });
  await expect(table).toBeVisible();
  const header = table.getByRole('columnheader').nth(1);
  await header.click();
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
});
