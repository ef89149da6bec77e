import { expect, test } from './support/sightglass';

test('the settings of a server count at its next connection, and its entry stays as it is', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.select('notes');
  await sightglass.run('Connection settings');
  const form = page.getByRole('form', { name: 'Connection settings of notes' });
  await form.getByRole('button', { name: 'Protocol' }).click();
  await page.getByRole('option', { name: '2025-03-26 only' }).click();
  await form.getByRole('textbox', { name: 'Call limit' }).fill('0');
  await expect(form.getByText('Enter a whole number from 1 up.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Call limit' }).fill('7');
  await form.getByRole('textbox', { name: 'Name clientInfo.name' }).fill('claude-code');
  // What is not saved stays while one looks elsewhere.
  await sightglass.show('Overview');
  await sightglass.settings('Connection');
  await expect(form.getByRole('textbox', { name: 'Call limit' })).toHaveValue('7');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('status')).toContainText('Saved.');

  await sightglass.run('Connect');
  await expect(page.getByText('2025-03-26').first()).toBeVisible();
  await sightglass.settings('Connection');
  await expect(sightglass.server('notes')).toContainText('Ready');
  await expect(page.getByText('7 s')).toBeVisible();
  await expect(page.getByText('(connection settings)')).toBeVisible();

  await expect(form.getByRole('textbox', { name: 'Name clientInfo.name' })).toHaveValue(
    'claude-code',
  );
  await expect(form.getByRole('button', { name: 'Save and reconnect' })).toBeVisible();
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
