import { expect, test } from './support/sightglass';

test('the settings of a server count at its next connection, and its entry stays as it is', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.select('notes');
  await sightglass.run('Connection settings');
  const dialog = sightglass.dialog('Connection settings of notes');
  await dialog.getByRole('button', { name: 'Protocol' }).click();
  await page.getByRole('option', { name: '2025-03-26 only' }).click();
  await dialog.getByRole('textbox', { name: 'One call' }).fill('0');
  await expect(dialog.getByText('Enter a whole number from 1 up.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'One call' }).fill('7');
  await dialog.getByRole('textbox', { name: 'Name clientInfo.name' }).fill('claude-code');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  await sightglass.run('Connect');
  await expect(page.getByText('2025-03-26').first()).toBeVisible();
  // Until then the page grows above what is clicked.
  await expect(sightglass.server('notes')).toContainText('Ready');
  await page.getByText('Advanced: time limits').click();
  await expect(page.getByText('7 s')).toBeVisible();
  await expect(page.getByText('(connection settings)')).toBeVisible();

  await page.getByRole('button', { name: 'Connection settings…' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name clientInfo.name' })).toHaveValue(
    'claude-code',
  );
  await expect(dialog.getByRole('button', { name: 'Save and reconnect' })).toBeVisible();
});

test('a proxy that cannot be used is refused with the reason, and nothing is kept', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.run('Settings');
  const dialog = sightglass.dialog('Settings');
  await dialog
    .getByRole('textbox', { name: 'Proxy', exact: true })
    .fill('http://me:secret@proxy:1');
  await page.keyboard.press('Tab');
  await expect(page.getByText('keep no password')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Proxy', exact: true }).fill('http://proxy:3128');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await sightglass.run('Settings');
  await expect(dialog.getByRole('textbox', { name: 'Proxy', exact: true })).toHaveValue(
    'http://proxy:3128',
  );
});
