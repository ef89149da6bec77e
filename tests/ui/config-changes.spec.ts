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
  await sightglass.openFiles();
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
  await page.getByRole('button', { name: 'Setup', exact: true }).last().click();
  await expect(page.getByRole('switch', { name: 'slack in Claude Code' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'slack in Sightglass' })).not.toBeChecked();
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
  await expect(sightglass.files).toBeFocused();
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

  await expect(sightglass.files).toBeFocused();
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
  await expect(from).toContainText('Counts here');

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
  const { page } = sightglass;
  await page.getByRole('button', { name: /Client$/ }).click();
  await page.getByRole('option', { name: startingWith('Claude Code') }).click();
  const from = await sightglass.configCell('sentry', 'User');
  await drag(sightglass, from, await sightglass.configCell('sentry', 'Managed'));
  // A dialog of the first one would be in its way.
  await drag(sightglass, from, await sightglass.configCell('sentry', 'Project'));
  const target = sightglass.dialog('Move sentry').getByRole('button', { name: /To$/ });
  await expect(target).toContainText('.mcp.json');
});

test('a move reaches the file of another client, and names what is lost', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await choose({ page, configCell: sightglass.configCell('slack', 'User') }, 'Move to…');
  const dialog = sightglass.dialog('Move slack');
  await expect(dialog.getByRole('button', { name: startingWith('Choose a file') })).toBeFocused();
  await sendTo(dialog, 'Claude Code, every project');
  await expect(dialog.getByRole('note')).toContainText('cwd');
  await expect(dialog.getByRole('note')).toContainText('so it will be in use there');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const cell = sightglass.files.locator('[data-file="claude-code:user"][data-defined]');
  await expect(cell.filter({ hasText: 'Defined here' }).first()).toBeVisible();
});

test('of many servers the matrix draws those in view, and the keyboard reaches the others', async ({
  sightglass,
}) => {
  await sightglass.openSetup('huge');
  const { page, matrix } = sightglass;
  const count = Number(await matrix.getAttribute('aria-rowcount'));
  expect(count).toBeGreaterThan(400);
  expect(await matrix.getByRole('row').count()).toBeLessThan(60);
  await matrix.getByRole('switch').first().focus();
  await page.keyboard.press('Control+End');
  const last = matrix.locator(`[aria-rowindex="${count}"]`);
  await expect(last.getByRole('button', { name: /^Copy .* to other clients$/ })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(last.getByRole('rowheader').getByRole('button')).toBeFocused();
});
