import type { Page } from '@playwright/test';
import { expect, test } from './support/sightglass';

function filterOf(page: Page) {
  return page.getByRole('searchbox', { name: 'Filter servers' });
}

function rowsOf(page: Page) {
  return page.getByRole('listbox', { name: 'Servers' }).getByRole('option');
}

test('many servers are filtered by their names, the best match first', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('many');
  await filterOf(page).fill('server-4');
  await expect(rowsOf(page)).toHaveCount(10);
  await expect(page.getByText('10 of 51 servers')).toBeVisible();
  await expect(rowsOf(page).first().locator('mark')).toHaveText('server-4');
  await filterOf(page).fill('demo');
  await expect(rowsOf(page).first()).toHaveAccessibleName(/^Demo/);
  await filterOf(page).fill('server-4');
  await page.keyboard.press('ArrowDown');
  await expect(rowsOf(page).first()).toBeFocused();
  await page.keyboard.press('Control+Shift+L');
  await expect(filterOf(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(filterOf(page)).toHaveValue('');
  // Those in view, at least.
  await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(15);
  await filterOf(page).fill('nothing like it');
  await expect(page.getByText('No server matches.')).toBeVisible();
});

test('a server that is selected from elsewhere is in sight', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('many');
  await filterOf(page).fill('ten');
  await page.keyboard.press('Control+P');
  await page.keyboard.type('server-47');
  await page.keyboard.press('Enter');
  await expect(filterOf(page)).toHaveValue('');
  await expect(sightglass.server('server-47')).toBeInViewport();
  await page.keyboard.press('Control+1');
  await expect(rowsOf(page).first()).toBeInViewport();
});

test('few servers have a filter once it is asked for', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await expect(sightglass.server('Demo')).toBeVisible();
  await expect(filterOf(page)).toHaveCount(0);
  await page.keyboard.press('Control+Shift+L');
  await expect(filterOf(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(filterOf(page)).toHaveCount(0);
});

test('a row shows its state where that says something', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('many');
  const idle = sightglass.server('server-01');
  await expect(idle).toHaveAccessibleName(/Disconnected/);
  await expect(idle.locator('em')).toHaveCount(0);
  await expect(idle.locator('[title]').first()).toHaveAttribute('title', /Disconnected/);
  await expect(rowsOf(page).filter({ hasText: 'ten-thousand' }).locator('em')).toHaveText(/^≈/);
});
