import { expect, test } from './support/sightglass';

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
});

test('Ctrl+L finds the first required control, also a union or a list', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.findTool('schema_unions');
  await expect(page.getByText(/missing/)).toBeVisible();
  await page.keyboard.press('Control+L');
  await expect(page.getByRole('button', { name: /Kind of Id|Id/ }).first()).toBeFocused();

  await sightglass.findTool('schema_arrays');
  await expect(page.getByRole('group', { name: 'Arguments' })).toBeVisible();
  const summary = page.locator('footer').getByRole('button').first();
  await expect(summary).toContainText(/Must have at least|missing/);
  await page.keyboard.press('Control+L');
  await expect(page.locator('[data-pointer] :focus')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Filter tools' }).focus();
  await summary.click();
  await expect(page.locator('[data-pointer] :focus')).toHaveCount(1);
});

test('a constant shows its value, and alternatives their fields', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.findTool('schema_unions');
  await page.getByRole('button', { name: /Kind of Shape/ }).click();
  await page.getByRole('option', { name: /^Circle – kind, radius/ }).click();
  const kind = page.getByRole('textbox', { name: 'Kind', exact: true });
  await expect(kind).toHaveValue('"circle"');
  await expect(kind).toHaveAttribute('readonly', '');
});

test('a condition is no reason before its member is given', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.findTool('schema_conditional');
  const summary = page.locator('footer').getByRole('button').first();
  await expect(summary).toContainText('delivery is missing');
  await expect(page.getByText(/^Because/)).toHaveCount(0);
  await page.getByRole('button', { name: /Delivery/ }).click();
  await page.getByRole('option', { name: /post/ }).click();
  await expect(summary).toContainText('Because delivery is "post", address is required');
});

test('a limit beyond 2^53 is told digit by digit', async ({ sightglass }) => {
  await sightglass.findTool('schema_numbers');
  await expect(sightglass.page.getByText('-9223372036854775808 to -1')).toBeVisible();
});
