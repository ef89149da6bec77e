import { expect, test } from './support/sightglass';

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
});

test('the last calls of a tool are kept, shown, repeated and compared', async ({ sightglass }) => {
  const { page, result } = sightglass;
  const message = page.getByRole('textbox', { name: /Message/ });
  const run = async (text: string) => {
    await message.fill(text);
    await page.keyboard.press('Control+Enter');
    await expect(result).toContainText('Done in');
    await expect(result).toContainText(text);
  };
  await run('the first');
  await run('the second');
  const runs = result.getByRole('button', { name: 'History' });
  await expect(runs).toHaveText(/2/);
  await runs.click();
  await page.getByRole('menuitem', { name: /✓ ok/ }).last().click();
  await expect(result).toContainText('the first');
  await expect(result.getByText(/^Call of \d\d:\d\d:\d\d$/)).toBeVisible();
  await expect(message).toHaveValue('the second');

  await runs.click();
  await page.getByRole('menuitem', { name: 'Edit these arguments' }).click();
  await expect(message).toHaveValue('the first');
  await expect(message).toBeFocused();
  await expect(page.getByText(/^Arguments of the call of .* filled in$/)).toBeVisible();

  await runs.click();
  await page.getByRole('menuitem', { name: 'Run again with these arguments' }).click();
  await expect(runs).toHaveText(/3/);
  await expect(result.getByText(/^Call of/)).toHaveCount(0);
  await expect(result).toContainText('the first');

  await runs.click();
  await page.getByRole('menuitem', { name: 'Compare two calls' }).click();
  const compared = page.getByRole('region', { name: 'Compared calls' });
  const input = compared.getByRole('list', { name: 'Arguments: differences' });
  await expect(input).toContainText('/message');
  await expect(input).toContainText('"the second"');
  await expect(input).toContainText('"the first"');
  await expect(compared.getByRole('list', { name: 'Result: differences' })).toContainText(
    '/result/content/0/text',
  );
  await compared.getByRole('button', { name: 'Close the comparison' }).click();
  await expect(result).toContainText('the first');
});

test('a run is copied as a command line', async ({ sightglass, context }) => {
  const { page, result } = sightglass;
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'local-network-access']);
  await page.getByRole('textbox', { name: /Message/ }).fill("it's");
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  await sightglass.chooseOfResult('Copy as sightglass-cli command');
  await expect(page.getByText('Copied the command')).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(String.raw`sightglass-cli tools call Demo echo "{\"message\":\"it's\"`);
});

test('a request is edited and sent again, also after the connection has ended', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  const message = page.getByRole('textbox', { name: /Message/ });
  await message.fill('once more');
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  await message.fill('something else');
  await sightglass.trafficRow(/tools\/call.*echo/).click();
  await sightglass.trafficDetail.getByRole('button', { name: 'Edit and resend' }).click();
  await expect(message).toHaveValue('once more');
  await expect(message).toBeFocused();
  await expect(page.getByText(/^Arguments of #\d+ filled in$/)).toBeVisible();

  await sightglass.trafficDetail.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(result.getByRole('button', { name: 'History' })).toHaveText(/2/);

  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(sightglass.phase).toHaveText('Disconnected');
  await sightglass.trafficDetail.getByRole('button', { name: 'Connect and resend' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
  await expect(result.getByRole('button', { name: 'History' })).toHaveText(/3/);
  await expect(result).toContainText('once more');
});

test('the calls of a tool are listed under their arguments, and opened as they were', async ({
  sightglass,
}) => {
  const { page, result, runButton } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  for (const message of ['first', 'second']) {
    await page.getByRole('textbox', { name: 'Message' }).fill(message);
    await runButton.click();
    await expect(result).toContainText(message);
  }
  await result.getByRole('button', { name: 'History' }).click();
  await page.getByRole('menuitem', { name: 'All calls on record' }).click();
  const calls = page.getByRole('grid', { name: 'Calls on record' });
  // A row that is there and has no height is not seen by the user.
  await expect(calls.getByRole('columnheader', { name: 'Arguments' })).toBeVisible();
  await calls.getByRole('row').filter({ hasText: 'first' }).click();
  const history = page.getByRole('region', { name: 'History', exact: true });
  await expect(history.getByRole('region', { name: 'Result' })).toContainText('first');
  await expect(history.getByRole('button', { name: 'Compare…' })).toBeVisible();
});

test('a server is restarted and called again in one key, and the results are compared', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  const message = page.getByRole('textbox', { name: /Message/ });
  await message.fill('the same');
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(result).toContainText(/Same result as the call of \d\d:\d\d:\d\d/);
  await expect(message).toBeFocused();

  await message.fill('another');
  await result.getByRole('button', { name: 'History' }).click();
  await page.getByRole('menuitem', { name: 'Restart and run again' }).click();
  await expect(result).toContainText(/differences? to the result of/);
  await expect(result.getByRole('list', { name: 'Result: differences' })).toContainText('another');
  await result.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('region', { name: 'Compared calls' })).toContainText('/message');
});

test('the tools of a server that is not connected are those seen last, and Run connects', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await page.getByRole('textbox', { name: /Message/ }).fill('on the way');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(sightglass.phase).toHaveText('Disconnected');
  await expect(page.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible();
  await sightglass.runButton.click();
  await expect(result).toContainText('on the way');
  await expect(sightglass.phase).toHaveText('Ready');
  await expect(page.getByText(/^as of/)).toHaveCount(0);
});
