import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/sightglass';

/** Runs the tool that asks, and leaves the question unanswered. */
test.beforeEach(async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('ask_elicitation');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
});

test('the question stands in the result of the call that waits', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await expect(result).toContainText('Waiting for you');
  await expect(result).not.toContainText('Running for');
  await result.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await expect(page).toHaveTitle(/^\(1\) .*Sightglass$/);
  // It is seen here, and needs no more words.
  await expect(bar(page)).toHaveCount(0);
  // To look something up before answering.
  await sightglass.show('Overview');
  await expect(bar(page)).toContainText('Demo asks for input');
  await page.keyboard.press('Control+Shift+R');
  await expect(page.getByRole('tab', { name: /^Tools/ })).toHaveAttribute('aria-selected', 'true');
  await expect(bar(page)).toHaveCount(0);
  await expect(result.getByRole('textbox', { name: /Name/ })).toBeFocused();
  await expect(result.getByRole('textbox', { name: /Name/ })).toHaveValue('Ada');
  await result.getByRole('textbox', { name: /Email/ }).fill('ada@acme.example');
  await sightglass.confirm();
  await expect(result).toContainText('Done in');
  await expect(page).toHaveTitle(/^[^(].*Sightglass$/);
  await sightglass.settings('Answers and folders');
  await expect(page.getByText('No open questions')).toBeVisible();
});

test('a question whose call has ended says so, and keeps what was written', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await result.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await sightglass.settings('Answers and folders');
  await expect(page.getByText('The call it belonged to has ended')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  await expect(page.getByText('"name": "Ada"')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByText('No open questions')).toBeVisible();
});

test('where all questions stand, an answer leads back to the result of its call', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.settings('Answers and folders');
  await page.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await page.getByRole('textbox', { name: /Email/ }).fill('ada@acme.example');
  await sightglass.confirm();
  await expect(result).toContainText('ada@acme.example');
  await expect(result).toBeFocused();
});

/** The bar across the window that tells of a question. */
function bar(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: 'asks for input' });
}
