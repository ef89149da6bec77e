import type { Page } from '@playwright/test';
import { expect, test } from './support/sightglass';

test('a call appears in the traffic at once and is completed in place', async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('long_running');
  await sightglass.runButton.click();
  const row = sightglass.trafficRow('tools/call').last();
  await expect(row).toContainText('pending');
  const number = (await row.getByRole('gridcell').first().textContent()) ?? '';
  await expect(row).toContainText('ok');
  await expect(row.getByRole('gridcell').first()).toHaveText(number);
});

test('kinds, text and inversion select rows', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.toggleRows('stderr');
  await expect(sightglass.trafficRow('pool:').first()).toBeVisible();
  await expect(sightglass.trafficRow('tools/call')).toHaveCount(0);
  await sightglass.toggleRows('stderr');

  await sightglass.trafficFilter.fill('status:error');
  await expect(sightglass.trafficRow('-32602')).toBeVisible();
  await expect(sightglass.trafficRow('search_files')).toHaveCount(0);
  await sightglass.toggleRows('Invert');
  await expect(sightglass.trafficRow('search_files')).toBeVisible();
  await expect(sightglass.trafficRow('-32602')).toHaveCount(0);
});

test('a mistake in the filter is explained where it is', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.trafficFilter.fill('tools dur:200ms');
  await expect(page.getByText(/^Character 7: Use < or >/)).toBeVisible();
  await expect(page.locator('mark')).toHaveText('dur:200ms');
  await sightglass.trafficFilter.fill('tools dur:>200ms');
  await expect(page.locator('mark')).toHaveCount(0);
});

test('a paused view takes nothing new until it goes on', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await expect(sightglass.trafficRow('search_files')).toBeVisible();
  const last = sightglass.traffic.getByRole('row').last();
  const before = await last.getAttribute('aria-rowindex');
  await page.getByRole('button', { name: 'Traffic actions' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await sightglass.connect('time');
  await expect(page.getByRole('button', { name: /^Resume.*new$/ })).toBeVisible();
  expect(await last.getAttribute('aria-rowindex')).toBe(before);
  await page.getByRole('button', { name: /^Resume/ }).click();
  await expect(last).not.toHaveAttribute('aria-rowindex', before ?? '');
});

test('a view that was scrolled away stays there and leads back', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await expect(sightglass.trafficRow('search_files')).toBeVisible();
  await sightglass.traffic.focus();
  await page.keyboard.press('Home');
  const first = sightglass.traffic.locator('[aria-rowindex="2"]');
  await expect(first).toBeInViewport();
  await sightglass.connect('time');
  await expect(first).toBeInViewport();
  await page.getByRole('button', { name: /^Jump to latest/ }).click();
  await expect(first).toHaveCount(0);
});

test('a detail shows what was asked, what came, and when', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.trafficRow('-32602').click();
  const detail = sightglass.trafficDetail;
  await expect(detail).toContainText('Invalid params');
  await detail.getByRole('tab', { name: 'Request' }).click();
  await expect(detail).toContainText('select * form users');
  await detail.getByRole('tab', { name: 'Timing' }).click();
  await expect(detail).toContainText(/\d+(\.\d+)? ms/);
});

test('a request can be edited and sent again', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.trafficRow('search_files').click();
  await sightglass.trafficDetail.getByRole('button', { name: 'Edit and resend' }).click();
  await expect(sightglass.tool('search_files')).toHaveAttribute('aria-selected', 'true');
  await expect(sightglass.page.getByRole('textbox', { name: /pattern/i }).first()).toHaveValue(
    '**/*.test.ts',
  );
});

async function askToClear(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Traffic actions' }).click();
  await page.getByRole('menuitem', { name: 'Clear…' }).click();
}

test('what servers print and log is a view of its own', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.showTraffic('Log');
  const log = sightglass.page.getByRole('grid', { name: 'Log' });
  await expect(log.getByRole('row').filter({ hasText: 'pool:' }).first()).toBeVisible();
  await expect(log.getByRole('row').filter({ hasText: 'tools/call' })).toHaveCount(0);
});

test('the traffic has the window while it is maximised, and a jump leads back', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.select('filesystem');
  const heading = page.getByRole('heading', { name: 'filesystem', exact: true });
  await page.keyboard.press('Control+Shift+J');
  await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
  await expect(page.locator('main')).toHaveAttribute('inert', '');
  await page.keyboard.press('Escape');
  await expect(page.locator('main')).not.toHaveAttribute('inert', '');
  await expect(heading).toBeVisible();
  await page.keyboard.press('Control+Shift+J');
  await page.keyboard.press('Control+0');
  await expect(page.getByRole('heading', { name: 'Setup', exact: true })).toBeVisible();
});

test('traffic is cleared only once that is confirmed', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await askToClear(page);
  const dialog = page.getByRole('dialog', { name: 'Clear traffic' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(sightglass.trafficRow('search_files')).toBeVisible();
  await askToClear(page);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('No traffic yet')).toBeVisible();
});
