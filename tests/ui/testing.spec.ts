import { expect, test } from './support/sightglass';

test('a server is checked against the specification, in both eras', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Checks');
  await expect(page.getByText('Not checked yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Run checks' }).click();
  await expect(page.getByRole('status').filter({ hasText: /\d+ passed/ })).toBeVisible({
    timeout: 60_000,
  });
  const legacy = page.getByRole('list', { name: /initialize handshake/ });
  const ping = legacy.getByRole('listitem').filter({ hasText: 'A ping is answered' });
  await expect(ping).toContainText('Passed');
  await expect(page.getByRole('list', { name: /Stateless/ })).toBeVisible();
  // No tool was named, and none was called.
  await expect(legacy).toContainText('No tool was named, and none is called unasked.');

  // The messages behind a verdict are one click away.
  await ping.getByRole('button', { name: /show the messages behind/ }).click();
  await expect(page.getByRole('row', { name: /ping/ }).first()).toBeVisible();
});

test('a tool is put under load, and the calls that failed are counted', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Checks');
  await page.getByRole('radio', { name: 'Load' }).click();
  const start = page.getByRole('button', { name: 'Start', exact: true });
  await expect(start).toBeDisabled();
  await page.getByRole('button', { name: /Tool$/ }).click();
  await page.getByRole('option', { name: 'sleep' }).click();
  await page.getByRole('textbox', { name: 'Arguments' }).fill('{"ms":1}');
  await page.getByRole('textbox', { name: 'Calls per second' }).fill('20');
  await page.getByRole('textbox', { name: 'Duration in seconds' }).fill('1');
  // By the keyboard alone.
  await page.getByRole('textbox', { name: 'Duration in seconds' }).press('Enter');
  const percentiles = page.getByRole('table', { name: 'Response times' });
  await expect(percentiles.getByRole('row', { name: /Since due/ })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('table', { name: 'Histogram of response times' })).toBeVisible();
  // On a busy machine some are due while every client waits. Each is counted once.
  const result = await page.getByRole('region', { name: 'Load result' }).innerText();
  const figure = (name: string) => Number(new RegExp(`${name}\\s*(\\d+)`).exec(result)?.[1] ?? 0);
  expect(figure('Succeeded')).toBeGreaterThan(0);
  expect(figure('Succeeded') + figure('Failed') + figure('Not sent')).toBe(20);
});

test('a tool that may change something is called often only when that is confirmed', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Checks');
  await page.getByRole('radio', { name: 'Load' }).click();
  await page.getByRole('button', { name: /Tool$/ }).click();
  await page.getByRole('option', { name: 'change_tools' }).click();
  await page.getByRole('textbox', { name: 'Duration in seconds' }).fill('600');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Start this load run?' });
  await expect(dialog).toContainText('change_tools does not say that it only reads.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Nothing measured yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog.getByRole('button', { name: 'Send 6,000 calls' }).click();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible({
    timeout: 60_000,
  });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Stopped before the end.')).toBeVisible();
});
