import { expect, type Sightglass, startingWith, test } from './support/sightglass';

const FILE = 'project/.mcp.json';

/** Adds a server in a file of its own, connects it, and looks at its tools. */
async function addAndConnect(sightglass: Sightglass): Promise<void> {
  const { page } = sightglass;
  await sightglass.open('project');
  const { mcpServers } = JSON.parse(await sightglass.readFile('project/.claude/.mcp.json'));
  await page.keyboard.press('Control+Shift+a');
  const dialog = sightglass.dialog('Add server');
  const entry = { mcpServers: { mine: { command: mcpServers.orders.command } } };
  await dialog.getByRole('textbox', { name: 'Paste anything' }).fill(JSON.stringify(entry));
  await dialog.getByRole('button', { name: /Saved in/ }).click();
  await page.getByRole('option', { name: startingWith('Claude Code, this project') }).click();
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await expect(dialog).toHaveCount(0);
  await sightglass.select('mine');
  await expect(sightglass.phase).toHaveText('Ready');
  await sightglass.show('Tools');
  await sightglass.findTool('echo');
  await dismissNotes(sightglass);
}

async function dismissNotes({ page }: Sightglass): Promise<void> {
  const messages = page.getByRole('region', { name: 'Messages' });
  const dismiss = messages.getByRole('button', { name: 'Dismiss' });
  if (await dismiss.isVisible()) await dismiss.click();
  await expect(dismiss).toHaveCount(0);
}

test('undo ends nothing unseen: it acts in Setup, and names first what ends by it', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await addAndConnect(sightglass);
  const messages = page.getByRole('region', { name: 'Messages' });
  const text = await sightglass.readFile(FILE);
  for (const place of [sightglass.tool('echo'), sightglass.server('mine'), sightglass.traffic]) {
    await place.focus();
    await page.keyboard.press('Control+z');
    await expect(messages).toContainText('Nothing to undo here');
    await expect(messages).toContainText('mine');
    expect(await sightglass.readFile(FILE)).toBe(text);
    await expect(sightglass.phase).toHaveText('Ready');
    await dismissNotes(sightglass);
  }
  // A field takes back what was typed into it, and nothing else.
  await page.getByRole('textbox', { name: /Message/ }).fill('typed');
  await page.keyboard.press('Control+z');
  await expect(messages).not.toContainText('Nothing to undo here');
  expect(await sightglass.readFile(FILE)).toBe(text);

  await sightglass.tool('echo').focus();
  await page.keyboard.press('Control+z');
  await messages.getByRole('button', { name: 'Show Setup' }).click();
  await expect(page.getByRole('heading', { name: 'Setup', exact: true })).toBeVisible();
  await page.keyboard.press('Control+z');
  const dialog = sightglass.dialog(startingWith('Undo'));
  await expect(dialog).toContainText('disconnects mine and deletes .mcp.json');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(await sightglass.readFile(FILE)).toBe(text);

  await page.keyboard.press('Control+z');
  await expect(dialog.getByRole('button', { name: 'Undo' })).toBeEnabled();
  await sightglass.confirm();
  await expect(sightglass.server('mine')).toHaveCount(0);
  await expect(sightglass.readFile(FILE)).rejects.toThrow();

  // Redo brings back what was there, and nothing is lost by it.
  await sightglass.select('orders');
  await dismissNotes(sightglass);
  await sightglass.server('orders').focus();
  await page.keyboard.press('Control+Shift+z');
  await expect(messages).toContainText('Nothing to redo here');
  await expect(sightglass.server('mine')).toHaveCount(0);
  await messages.getByRole('button', { name: 'Show Setup' }).click();
  await page.keyboard.press('Control+Shift+z');
  await expect(sightglass.server('mine')).toBeVisible();
  expect(await sightglass.readFile(FILE)).toBe(text);
});

test('while the note of a change is shown, its key takes that change back, and no other', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('slack');
  await page.keyboard.press('d');
  await sightglass.dialog('Enable slack').getByRole('button', { name: 'Enable' }).click();
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Defined here');
  await sightglass.selectConfig('filesystem');
  await page.keyboard.press('Delete');
  await sightglass.dialog('Remove filesystem').getByRole('button', { name: 'Remove' }).click();
  await expect(sightglass.configRow('filesystem')).toHaveCount(0);
  const messages = page.getByRole('region', { name: 'Messages' });
  // What is looked at stays.
  await messages.getByRole('button', { name: 'Undo', exact: true }).hover();
  await page.keyboard.press('Control+Shift+e');
  await expect(page.getByRole('heading', { name: 'Tests', exact: true })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(messages).toContainText('Undone');
  await page.keyboard.press('Control+z');
  await expect(messages).toContainText('Nothing to undo here');
  await messages.getByRole('button', { name: 'Show Setup' }).click();
  await expect(sightglass.configRow('filesystem')).toHaveCount(1);
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Defined here');
});
