import { expect, test } from './support/sightglass';

test.use({ viewport: { width: 720, height: 480 } });

test('a tool can be run in a small window', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.tool('echo').click();
  await expect(sightglass.runButton).toBeInViewport();
  await page
    .getByRole('textbox', { name: /message/i })
    .first()
    .fill('Small');
  await sightglass.runButton.click();
  await expect(sightglass.result).toContainText('Small');
  await expect(sightglass.result.getByText('Small')).toBeInViewport();
});

test('a question is seen from its text to the field that has the focus', async ({ sightglass }) => {
  const { result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('ask_elicitation');
  await sightglass.runButton.click();
  const field = result.getByRole('textbox', { name: /Name/ });
  await expect(field).toBeFocused();
  await expect(result.getByText('Please introduce yourself.')).toBeInViewport({ ratio: 1 });
  await expect(field).toBeInViewport({ ratio: 0.9 });
  await expect(result.getByText(/Time limit paused/)).toHaveCount(1);
});

test('a window that is made small shows the outcome, and its menu whole', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.setViewportSize({ width: 1440, height: 900 });
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.tool('echo').click();
  await page
    .getByRole('textbox', { name: /message/i })
    .first()
    .fill('Small');
  await sightglass.runButton.click();
  await expect(sightglass.result).toContainText('Small');
  await page.setViewportSize({ width: 720, height: 480 });
  await expect(sightglass.result.getByRole('status')).toBeInViewport({ ratio: 1 });
  await sightglass.result.getByRole('button').first().click();
  for (const entry of await page.getByRole('menuitem').all()) {
    await expect(entry).toBeInViewport({ ratio: 1 });
  }
});

test('nothing makes the small window scroll sideways', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.select('filesystem');
  const tabs = ['Overview', 'Tools', 'In clients', 'Checks', 'Settings'];
  for (const tab of tabs) {
    await sightglass.show(tab);
    const overflow = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight];
    });
    expect(overflow, tab).toEqual([0, 0]);
  }
});

test('what a button would do is seen before it is pressed', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = sightglass.dialog('Add server');
  const paste = dialog.getByRole('textbox', { name: 'Paste anything' });
  await paste.fill('{"mcpServers":{"small":{"command":"node","args":["server.js"]}}}');
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  const effects = dialog.getByRole('region', { name: 'What small does' });
  await expect(paste).toBeInViewport();
  // It follows the fields, in what scrolls with them, and covers none.
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeInViewport({
    ratio: 1,
  });
  const argument = dialog.getByRole('textbox', { name: 'Argument 1' });
  await argument.focus();
  await expect(argument).toBeInViewport({ ratio: 1 });
  const [field, plan] = await Promise.all([argument.boundingBox(), effects.boundingBox()]);
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(plan?.y ?? 0);
  await effects.getByRole('heading').scrollIntoViewIfNeeded();
  await expect(effects.getByRole('heading')).toBeInViewport();
});

test('what a link would do is seen before its button is pressed', async ({ sightglass }) => {
  await sightglass.open('welcome');
  const config = encodeURIComponent(JSON.stringify({ command: 'node', args: ['server.js'] }));
  await sightglass.page.evaluate((text) => {
    window.dispatchEvent(new CustomEvent('sightglass-open', { detail: { type: 'link', text } }));
  }, `sightglass://add?name=small&config=${config}`);
  const dialog = sightglass.dialog('Add server');
  const effects = dialog.getByRole('region', { name: 'What small does' });
  await expect(effects.getByRole('heading')).toBeInViewport();
  // A field further down comes to stand above it.
  const argument = dialog.getByRole('textbox', { name: 'Argument 1' });
  await argument.focus();
  const [field, plan] = await Promise.all([argument.boundingBox(), effects.boundingBox()]);
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(plan?.y ?? 0);
});

test('an item that is pressed comes into view, and Back and Escape lead to its list', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  const list = page.getByRole('listbox', { name: 'Tools', exact: true });
  const back = page.getByRole('button', { name: 'Back to the list' });
  await sightglass.tool('echo').click();
  await expect(list).not.toBeInViewport();
  await back.click();
  await expect(list).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list).toBeInViewport();
  await expect(back).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(back).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeInViewport();
});

test('a change of the width keeps what a list is narrowed to', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  const filter = page.getByRole('searchbox', { name: 'Filter tools' });
  await filter.fill('echo');
  for (const width of [1280, 720]) {
    await page.setViewportSize({ width, height: 480 });
    await expect(filter).toHaveValue('echo');
  }
});

test('the head of a client fits in a small window', async ({ sightglass }) => {
  await sightglass.openFiles();
  const add = sightglass.page.locator('[data-main]').getByRole('button', { name: 'Add server' });
  await expect(add).toBeInViewport({ ratio: 1 });
});

test('the traffic of a small window leaves out what it has no room for', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.trafficTitle.click();
  const headings = sightglass.traffic.getByRole('columnheader');
  await expect(headings.filter({ hasText: 'Method' })).toBeVisible();
  await expect(headings.filter({ hasText: 'Status' })).toBeVisible();
  for (const hidden of ['When', 'Size', 'Time']) {
    await expect(headings.filter({ hasText: hidden })).toHaveCount(0);
  }
  const isCut = await sightglass.traffic.evaluate((grid) => grid.scrollWidth > grid.clientWidth);
  expect(isCut).toBe(false);
});

test('the drawer of a small window opens on a press alone', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.setViewportSize({ width: 1280, height: 900 });
  await sightglass.trafficTitle.click();
  await page.setViewportSize({ width: 720, height: 480 });
  await page.reload();
  await sightglass.connect('Demo');
  await expect(sightglass.trafficTitle).toHaveAttribute('aria-expanded', 'false');
});

test('a detail takes the place of the rows in a small window', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.trafficTitle.click();
  await sightglass.trafficRow('search_files').click();
  await expect(sightglass.trafficDetail).toBeVisible();
  await expect(sightglass.traffic).toHaveCount(0);
  await sightglass.trafficDetail.getByRole('button', { name: 'Back to the rows' }).click();
  await expect(sightglass.traffic).toBeVisible();
});

test('no page of a sign-in scrolls sideways in a small window', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('signin');
  for (const server of ['jira', 'notion']) {
    await sightglass.select(server);
    await sightglass.settings('Sign-in');
    for (const name of ['Account', 'Steps', 'Token', 'Client']) {
      await page.getByRole('radio', { name, exact: true }).click();
      const wide = await page
        .getByRole('tabpanel')
        .first()
        .evaluate((panel) =>
          [panel, ...panel.querySelectorAll('*')]
            .filter((part) => part.scrollWidth > part.clientWidth + 1)
            .filter((part) => getComputedStyle(part).overflowX === 'auto')
            .map((part) => part.className),
        );
      expect(wide, `${server}, ${name}`).toEqual([]);
      // The window itself never scrolls: what is hidden would take it along with the focus.
      const tall = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      expect(tall, `${server}, ${name}`).toBe(0);
    }
  }
});
