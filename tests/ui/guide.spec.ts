import { expect, test } from './support/sightglass';

test('F1 opens the chapter of the place one is in, and links lead on', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await page.keyboard.press('F1');
  const guide = page.getByRole('dialog', { name: 'Guide' });
  const text = guide.getByRole('region', { name: 'Calls' });
  await expect(text.getByRole('heading', { name: 'The form' })).toBeVisible();
  // The keys scroll what one reads.
  await expect(text).toBeFocused();

  await text.getByRole('link', { name: 'Sign-in' }).first().click();
  await expect(guide.getByRole('heading', { name: 'Sign-in', level: 1 })).toBeVisible();
  await expect(guide.getByRole('region', { name: 'Sign-in' })).toBeFocused();
  await expect(guide.getByRole('option', { name: 'Sign-in' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);
});

test('F1 explains a dialog, which stays below with what was typed', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.keyboard.press('Control+Shift+a');
  const dialog = sightglass.dialog('Add server');
  const paste = dialog.getByRole('textbox', { name: 'Paste anything' });
  await paste.fill('{"mcpServers":');
  await page.keyboard.press('F1');
  const guide = page.getByRole('dialog', { name: 'Guide' });
  await expect(guide.getByRole('heading', { name: 'Add a server' })).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);
  await expect(paste).toHaveValue('{"mcpServers":');
  await expect(paste).toBeFocused();
});

test('the guide is searched, in itself and from the palette', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.keyboard.press('F1');
  const guide = page.getByRole('dialog', { name: 'Guide' });
  await expect(guide.getByRole('heading', { name: 'The first minute', level: 1 })).toBeVisible();
  await guide.getByRole('searchbox', { name: 'Search the guide' }).fill('mcp-rig');
  await expect(guide.getByRole('option')).toHaveCount(1);
  await guide.getByRole('option').click();
  await expect(guide.getByText('takes over a suite of mcp-rig')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('files and scopes');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('option', { name: 'Files and scopes' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(guide.getByRole('heading', { name: 'Files and scopes' })).toBeInViewport();
});
