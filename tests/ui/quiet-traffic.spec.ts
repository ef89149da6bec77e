import { expect, test } from './support/sightglass';

test('an empty drawer takes no room', async ({ sightglass }) => {
  await sightglass.open('welcome');
  await expect(sightglass.trafficTitle).toHaveAttribute('aria-expanded', 'false');
  await sightglass.connect('Demo');
  await expect(sightglass.trafficTitle).toHaveAttribute('aria-expanded', 'true');
  await expect(sightglass.trafficRow('tools/list').first()).toBeVisible();
});

test('phases are folded away until they are asked for', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  await page
    .getByRole('textbox', { name: /message/i })
    .first()
    .fill('quiet');
  await sightglass.runButton.click();
  await expect(sightglass.result).toContainText('quiet');
  await expect(sightglass.trafficRow('executing')).toHaveCount(0);
  await expect(sightglass.trafficRow('connecting')).toHaveCount(0);
  await sightglass.toggleRows('Heartbeats and phases');
  await expect(sightglass.trafficRow('executing').first()).toBeVisible();
  await sightglass.toggleRows('Heartbeats and phases');
  await expect(sightglass.trafficRow('executing')).toHaveCount(0);
  await sightglass.trafficFilter.fill('kind:phase');
  await expect(sightglass.trafficRow('executing').first()).toBeVisible();
});

test('a ping is on record, and shown once it is asked for', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const pings = sightglass.trafficRow(/ping|server\/discover/);
  await expect(sightglass.trafficRow('tools/list').first()).toBeVisible();
  await sightglass.trafficFilter.fill('server/discover');
  const before = await pings.count();
  await sightglass.run('Ping now');
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('answered in');
  expect(await pings.count()).toBe(before);
  await sightglass.toggleRows('Heartbeats and phases');
  await expect.poll(() => pings.count()).toBeGreaterThan(before);
});

test('progress stands under its call and can be folded away', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('long_running');
  await sightglass.runButton.click();
  const call = sightglass.trafficRow('tools/call');
  await expect(call).toContainText('ok');
  const progress = sightglass.trafficRow('notifications/progress');
  await expect(progress.first()).toContainText('during #');
  await call.click();
  await page.keyboard.press('Escape');
  await sightglass.traffic.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(progress).toHaveCount(0);
  await expect(call).toContainText(/\d+ rows? folded/);
  await page.keyboard.press('ArrowRight');
  await expect(progress.first()).toBeVisible();
});

test('the filter completes what is typed and refuses what it does not know', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const filter = sightglass.trafficFilter;
  await filter.click();
  await page.keyboard.type('lev');
  await expect(page.getByRole('option', { name: /^level:/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(filter).toHaveValue('level:');
  await page.keyboard.type('err');
  await page.keyboard.press('Tab');
  await expect(filter).toHaveValue('level:error ');
  await expect(page.getByRole('option', { name: /^level:/ })).toHaveCount(0);

  // It covers the rows: the pointer reaches it.
  await filter.fill('');
  await page.keyboard.type('si');
  await page.getByRole('option', { name: /^size:/ }).click();
  await expect(filter).toHaveValue('size:');

  await filter.fill('severity:error');
  await expect(page.getByText('There is no severity:. Did you mean level:?')).toBeVisible();
  await filter.fill('/^resources.list$/');
  await expect(sightglass.trafficRow('resources/list').first()).toBeVisible();
  await expect(sightglass.trafficRow('tools/list')).toHaveCount(0);
  await expect(page.getByText(/^\d of \d+$/)).toBeVisible();
});

test('a cell filters by its value or hides it, and the detail goes with its row', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const show = page.getByRole('button', { name: 'Show', exact: true });
  const invert = page.getByRole('button', { name: 'Invert' });
  await show.click();
  await expect(invert).toBeDisabled();
  await page.keyboard.press('Escape');
  await sightglass.trafficRow('prompts/list').click();
  await expect(sightglass.trafficDetail).toBeVisible();
  await sightglass
    .trafficRow('prompts/list')
    .getByRole('gridcell', { name: 'prompts/list' })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Hide these' }).click();
  await expect(sightglass.trafficFilter).toHaveValue('-method:prompts/list');
  await expect(sightglass.trafficRow('prompts/list')).toHaveCount(0);
  await expect(sightglass.trafficDetail).toHaveCount(0);
  await show.click();
  await expect(invert).toBeEnabled();
});
