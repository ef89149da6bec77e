import { expect, test } from './support/sightglass';

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
});

test('a result is searched, and the matches are gone through', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.findTool('echo');
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index} of it`);
  lines[30] = 'the Needle, and a needle';
  await page.getByRole('textbox', { name: /Message/ }).fill(lines.join(' / '));
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  await result.getByText('line 0 of it').click();
  await page.keyboard.press('Control+F');
  const search = result.getByRole('searchbox', { name: 'Search in this result' });
  await expect(search).toBeFocused();
  await search.fill('needle');
  await expect(result.getByText('1 of 2')).toBeVisible();
  await expect(result.locator('mark')).toHaveText(['Needle', 'needle']);
  await page.keyboard.press('Enter');
  await expect(result.getByText('2 of 2')).toBeVisible();
  await page.keyboard.press('Shift+Enter');
  await expect(result.getByText('1 of 2')).toBeVisible();
  await search.fill('nowhere');
  await expect(result.getByText('No match')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(search).toHaveCount(0);
  await expect(result.getByText('line 0 of it')).toBeVisible();
});

test('a long result says what clients would do with it', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.findTool('big_result');
  await page.keyboard.press('Control+Enter');
  await expect(result.getByRole('note')).toContainText(
    'About 2,600,000 tokens, by its length. Claude Code cuts results after 25,000.',
    { timeout: 30_000 },
  );
  await sightglass.findTool('echo');
  const message = page.getByRole('textbox', { name: /Message/ });
  // The form takes the place of the long result's: it is filled in once it stands still.
  await message.click({ trial: true });
  await message.fill('short');
  await expect(message).toHaveValue('short');
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  await expect(result.getByRole('note')).toHaveCount(0);
});

test('a long line of a text keeps its number and wraps, until it is told not to', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.findTool('echo');
  await page
    .getByRole('button', { name: 'JSON', exact: true })
    .or(page.getByRole('radio', { name: 'JSON' }))
    .first()
    .click();
  const editor = page.getByRole('textbox', { name: 'Arguments' });
  await editor.fill(JSON.stringify({ message: `${'x'.repeat(300_000)}needle` }));
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  const numbers = result.locator('[data-line]');
  await expect(numbers.first()).toHaveAttribute('data-line', '1');
  await expect(numbers.nth(1)).toHaveAttribute('data-line', '');
  await sightglass.chooseOfResult('Search in this result');
  await result.getByRole('searchbox').fill('needle');
  await expect(result.getByText('1 of 1')).toBeVisible();
  await expect(result.locator('mark')).toHaveText('needle');
  const view = result.getByRole('region', { name: 'Result with matches' });
  const beyond = () => view.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(beyond).toBeLessThanOrEqual(0);
  await result.getByRole('button', { name: 'Wrap long lines' }).click();
  await expect.poll(beyond).toBeGreaterThan(0);
  await result.getByRole('button', { name: 'Wrap long lines' }).click();
  await expect.poll(beyond).toBeLessThanOrEqual(0);
});

test('lines after a long one keep their own numbers', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.findTool('echo');
  await page.getByRole('radio', { name: 'JSON' }).first().click();
  const editor = page.getByRole('textbox', { name: 'Arguments' });
  await editor.fill(JSON.stringify({ message: `first\n${'x'.repeat(2_000_000)}\nthird` }));
  await page.keyboard.press('Control+Enter');
  await expect(result).toContainText('Done in');
  await sightglass.chooseOfResult('Search in this result');
  await result.getByRole('searchbox').fill('third');
  await expect(result.getByText('1 of 1')).toBeVisible();
  const found = result.locator('[data-index]', { has: page.locator('mark') });
  await expect(found.locator('[data-line]')).toHaveAttribute('data-line', '3');
});
