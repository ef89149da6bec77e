import { expect, test } from './support/sightglass';

/** What the list of questions says while nothing is asked, as it stands in the built code. */
const WORDS = /none:(["'`])No open questions\1/;

test('a pane that cannot be drawn leaves the rest of the window usable', async ({ sightglass }) => {
  const { page } = sightglass;
  // The tab's code as it is, but for one expression that fails until it is mended.
  await page.route('**/*.js', async (route) => {
    const response = await route.fetch();
    const code = await response.text();
    const broken = code.replace(
      WORDS,
      'get none() { return window.mended ? "Nothing is asked" : window.missing(); }',
    );
    await route.fulfill({ response, body: broken });
  });
  await sightglass.open();
  await sightglass.select('time');
  await sightglass.settings('Answers and folders');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('could not be drawn');

  await sightglass.show('Tools');
  await expect(alert).toBeHidden();
  await expect(sightglass.trafficTitle).toBeVisible();

  await sightglass.settings('Answers and folders');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the report' }).click();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain('Pane: Settings');
  expect(report).toMatch(/^Sightglass \d/);

  await page.evaluate(() => Object.assign(window, { mended: true }));
  await page.getByRole('button', { name: 'Draw this pane again' }).click();
  await expect(page.getByText('Nothing is asked', { exact: true })).toBeVisible();
});
