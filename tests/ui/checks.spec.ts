import { expect, test } from './support/sightglass';

test('a server is checked against the specification, in both generations', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const conformance = await sightglass.showCheck('Conformance');
  const status = conformance.getByRole('status');
  await expect(status).toHaveText('Not checked yet.');
  await conformance.getByRole('button', { name: 'Run checks' }).click();
  await expect(status).toContainText(/passed in/, { timeout: 60_000 });
  const legacy = page.getByRole('list', { name: /Legacy generation/ });
  const ping = legacy.getByRole('listitem').filter({ hasText: 'A ping is answered' });
  await expect(ping).toContainText('Passed');
  await expect(page.getByRole('list', { name: /Modern generation/ })).toBeVisible();
  // No tool was named, and none was called.
  await expect(legacy).toContainText('No tool was named, and none is called unasked.');

  // The messages behind a verdict are one click away.
  await ping.getByRole('button', { name: /show the messages behind/ }).click();
  await expect(page.getByRole('row', { name: /ping/ }).first()).toBeVisible();
});

test('one press checks everything, and the verdict is the same in the overview', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile(
    'project/.sightglass/requests/wrong.toml',
    `format = 1\nserver = "demo"\nmethod = "tools/call"\nparams = '''{"name":"result_error","arguments":{}}'''\n`,
  );
  await sightglass.connect('Demo');
  await sightglass.show('Checks');
  const parts = page.getByRole('listbox', { name: 'Checks', exact: true });
  // The checks may have ended before one could look at the button that stops them.
  const focused = page.waitForFunction(() => document.activeElement?.textContent === 'Stop');
  await page.getByRole('button', { name: 'Check all' }).click();
  await focused;
  await expect(
    parts.getByRole('option', { name: /^Connection, (All checks passed|Works)/ }),
  ).toBeVisible();
  await expect(parts.getByRole('option', { name: /^Conformance, .*passed in/ })).toBeVisible({
    timeout: 60_000,
  });
  await expect(parts.getByRole('option', { name: 'Tests, 1 test failed' })).toBeVisible();
  const checks = page.getByRole('button', { name: 'Check all' });
  await expect(checks).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: '1 test failed' })).toBeVisible();

  const tests = await sightglass.showCheck('Tests');
  await expect(tests.getByRole('listitem').filter({ hasText: 'wrong' })).toContainText('Failed');
  await sightglass.show('Overview');
  const verdict = page.getByRole('region', { name: /Works/ });
  await expect(verdict).toContainText('1 test failed');
  await verdict.getByRole('button', { name: 'Show checks' }).click();
  await tests.getByRole('button', { name: 'Open wrong' }).click();
  await expect(page.getByRole('region', { name: 'wrong', exact: true })).toBeVisible();
});

test('a tool is put under load, and the calls that failed are counted', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.showCheck('Load');
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
  const load = await sightglass.showCheck('Load');
  const status = load.getByRole('status');
  await page.getByRole('button', { name: /Tool$/ }).click();
  await page.getByRole('option', { name: 'change_tools' }).click();
  await page.getByRole('textbox', { name: 'Duration in seconds' }).fill('600');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Start this load run?' });
  await expect(dialog).toContainText('change_tools does not say that it only reads.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(status).toHaveText('Nothing measured yet.');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog.getByRole('button', { name: 'Send 6,000 calls' }).click();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible({
    timeout: 60_000,
  });
  await load.getByRole('button', { name: 'Stop' }).click();
  await expect(status).toContainText('Stopped before the end.');
});
