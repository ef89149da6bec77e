import type { Locator } from '@playwright/test';
import { expect, type Sightglass, startingWith, test } from './support/sightglass';

/** Opens the menu of a server's cell and chooses from it. */
async function choose(
  { page, configCell }: { page: Sightglass['page']; configCell: Promise<Locator> },
  item: string,
): Promise<void> {
  await (await configCell).click({ button: 'right' });
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
}

/** Drags one cell onto another, with keys held. */
async function drag(sightglass: Sightglass, from: Locator, to: Locator, held?: string) {
  const { mouse, keyboard } = sightglass.page;
  const start = await from.boundingBox();
  const end = await to.boundingBox();
  if (!start || !end) throw new Error('the cells have no place on the screen');
  await mouse.move(start.x + 30, start.y + 14);
  await mouse.down();
  await mouse.move(end.x + 30, end.y + 14, { steps: 6 });
  if (held) await keyboard.down(held);
  await mouse.up();
  if (held) await keyboard.up(held);
}

/** Presses Enter on a button once the difference is shown, before which it does nothing. */
async function pressEnter(dialog: Locator, name: string): Promise<void> {
  const button = dialog.getByRole('button', { name });
  await expect(button).toBeEnabled();
  // What has just appeared takes no key that confirms it.
  await expect(dialog.page().locator('[data-guarded]')).toHaveCount(0);
  await button.press('Enter');
  await expect(dialog).toHaveCount(0);
}

async function sendTo(dialog: Locator, file: string): Promise<void> {
  await dialog.getByRole('button', { name: startingWith('Choose a file') }).click();
  await dialog
    .page()
    .getByRole('option', { name: startingWith(file) })
    .click();
}

test.beforeEach(async ({ sightglass }) => {
  await sightglass.openConfig();
});

test('by its menu a server is copied, and what the target cannot say is named before', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await choose({ page, configCell: sightglass.configCell('slack', 'User') }, 'Copy to…');
  const dialog = sightglass.dialog('Copy slack');
  await sendTo(dialog, 'Claude Code, every project');
  const lost = dialog.getByRole('note');
  await expect(lost).toContainText('cwd');
  await expect(lost).toContainText('so it will be in use there');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: /Client/ }).click();
  await page.getByRole('option', { name: startingWith('All clients') }).click();
  await page.getByRole('searchbox', { name: 'Filter configuration' }).fill('slack');
  await expect(sightglass.matrix.getByRole('rowheader')).toHaveCount(2);
});

test('by its menu a server is renamed, disabled and removed', async ({ sightglass }) => {
  const { page } = sightglass;
  await choose({ page, configCell: sightglass.configCell('filesystem', 'Project') }, 'Rename…');
  await sightglass.dialog('Rename filesystem').getByLabel('New name').fill('files');
  await sightglass.dialog('Rename filesystem').getByRole('button', { name: 'Rename' }).click();
  await expect(sightglass.configRow('files')).toBeVisible();
  await choose({ page, configCell: sightglass.configCell('files', 'Project') }, 'Disable');
  await sightglass.dialog('Disable files').getByRole('button', { name: 'Disable' }).click();
  await expect(await sightglass.configCell('files', 'Project')).toContainText('Disabled');
  await choose({ page, configCell: sightglass.configCell('files', 'Project') }, 'Remove');
  await sightglass.dialog('Remove files').getByRole('button', { name: 'Remove' }).click();
  await expect(sightglass.configRow('files')).toHaveCount(0);
});

test('by its menu a server is moved', async ({ sightglass }) => {
  const { page } = sightglass;
  await choose({ page, configCell: sightglass.configCell('linear', 'Project') }, 'Move to…');
  const dialog = sightglass.dialog('Move linear');
  await sendTo(dialog, 'Only in Sightglass, this project, only you');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(await sightglass.configCell('linear', 'Local')).toContainText('Defined here');
  await expect(await sightglass.configCell('linear', 'Project')).toHaveAccessibleName(
    'Not in Project',
  );
});

test('by the keyboard alone a server is moved, copied, renamed, disabled and removed', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const { keyboard } = page;
  await sightglass.selectConfig('linear');
  await expect(sightglass.matrix).toBeFocused();
  await keyboard.press('m');
  const move = sightglass.dialog('Move linear');
  await expect(move).toBeVisible();
  await move.getByRole('button', { name: startingWith('Choose a file') }).focus();
  await keyboard.press('Enter');
  await page
    .getByRole('option', { name: startingWith('Only in Sightglass, this project, only you') })
    .focus();
  await keyboard.press('Enter');
  await expect(move.getByRole('region').first()).toBeVisible();
  await move.getByRole('button', { name: 'Move', exact: true }).focus();
  await sightglass.confirm('Enter');
  await expect(await sightglass.configCell('linear', 'Local')).toContainText('Defined here');

  await expect(sightglass.matrix).toBeFocused();
  await keyboard.press('F2');
  await sightglass.dialog('Rename linear').getByLabel('New name').fill('tracker');
  await expect(sightglass.dialog('Rename linear').getByRole('region').first()).toBeVisible();
  await keyboard.press('Tab');
  await pressEnter(sightglass.dialog('Rename linear'), 'Rename');
  await expect(sightglass.configRow('tracker')).toBeVisible();

  await sightglass.selectConfig('tracker');
  await keyboard.press('d');
  await pressEnter(sightglass.dialog('Disable tracker'), 'Disable');
  await expect(await sightglass.configCell('tracker', 'Local')).toContainText('Disabled');
  await keyboard.press('Delete');
  await pressEnter(sightglass.dialog('Remove tracker'), 'Remove');
  await expect(sightglass.configRow('tracker')).toHaveCount(0);
});

test('while Ctrl is held a drag copies, and Escape ends it', async ({ sightglass }) => {
  const { page } = sightglass;
  const from = await sightglass.configCell('linear', 'Project');
  const to = await sightglass.configCell('linear', 'User');
  await drag(sightglass, from, to, 'Control');
  const dialog = sightglass.dialog('Copy linear');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(to).toContainText('Shadowed');
  await expect(from).toContainText('Wins here');

  const start = await from.boundingBox();
  if (!start) throw new Error('the cell has no place on the screen');
  await page.mouse.move(start.x + 30, start.y + 14);
  await page.mouse.down();
  await page.mouse.move(start.x - 100, start.y + 14, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a drag onto a file that cannot be written does nothing', async ({ sightglass }) => {
  const from = await sightglass.configCell('linear', 'Project');
  await drag(sightglass, from, await sightglass.configCell('linear', 'Chimera'));
  await expect(sightglass.page.getByRole('dialog')).toHaveCount(0);
});

test('a drag reaches the file of another client, and names what is lost', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await page.setViewportSize({ width: 2200, height: 900 });
  await page.getByRole('button', { name: /Client/ }).click();
  await page.getByRole('option', { name: startingWith('All clients') }).click();
  await page.getByRole('searchbox', { name: 'Filter configuration' }).fill('slack');
  await expect(sightglass.matrix.getByRole('rowheader')).toHaveCount(1);
  const from = sightglass.matrix.locator('[data-file="mcp-json:user"][data-defined]');
  const to = sightglass.matrix.locator('[role="gridcell"][data-file="claude-code:user"]');
  await drag(sightglass, from, to);
  const dialog = sightglass.dialog('Move slack');
  await expect(dialog.getByRole('note')).toContainText('cwd');
  await expect(dialog.getByRole('note')).toContainText('so it will be in use there');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(to.first()).toContainText('Defined here');
});

test('of all clients’ files only those in view are drawn, and the keyboard reaches the others', async ({
  sightglass,
}) => {
  await sightglass.openConfig('huge');
  const { page, matrix } = sightglass;
  await page.getByRole('button', { name: /Client/ }).click();
  await page.getByRole('option', { name: startingWith('All clients') }).click();
  await expect(matrix.getByText('Claude Code', { exact: true })).toBeVisible();
  const columns = Number(await matrix.getAttribute('aria-colcount'));
  expect(columns).toBeGreaterThan(20);
  const cells = matrix.getByRole('row').nth(3).getByRole('gridcell');
  expect(await cells.count()).toBeLessThan(12);
  await matrix.focus();
  await page.keyboard.press('End');
  const last = matrix.getByRole('row').nth(1).locator(`[aria-colindex="${columns}"]`);
  await expect(last).toBeInViewport();
  await expect(matrix).toHaveAttribute(
    'aria-activedescendant',
    (await last.getAttribute('id')) ?? '',
  );
});
