import { expect, test } from './support/sightglass';

const BROKEN = '{\n  "mcpServers": {\n    "mail": { "command": "node" },\n  }\n}\n';

test('the welcome names no clients where there are none', async ({ sightglass }) => {
  await sightglass.open('welcome');
  const main = sightglass.page.getByRole('main');
  await expect(main).toContainText(/No servers in .* yet/);
  await expect(main).not.toContainText('clients');
  await expect(main.getByRole('button', { name: 'Connect to Demo' })).toBeVisible();
});

test('the welcome names the servers of other clients where there are some', async ({
  sightglass,
}) => {
  await sightglass.open('found');
  const main = sightglass.page.getByRole('main');
  await expect(main.getByRole('region', { name: /servers of your other clients/ })).toBeVisible();
});

test('a broken file is told with its line, and opened there', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile('project/.mcp.json', BROKEN);
  const note = page.getByRole('main').getByRole('note');
  await expect(note).toContainText('.mcp.json cannot be read. Line 3: Trailing comma');
  await expect(page.getByRole('main')).not.toContainText('No servers');
  await note.getByRole('button', { name: 'Open at line 3' }).click();
  await expect(page.locator('.cm-content')).toContainText('"mail"');
});

test('a broken file is repaired from the welcome, once the difference was seen', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile('project/.mcp.json', BROKEN);
  await page.getByRole('main').getByRole('button', { name: 'Repair…' }).click();
  const dialog = sightglass.dialog('Repair .mcp.json');
  await dialog.getByRole('button', { name: 'Repair', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(sightglass.server('mail')).toBeVisible();
  expect(await sightglass.readFile('project/.mcp.json')).toBe(BROKEN.replace('},\n  }', '}\n  }'));
});

test('the keys alone lead from the first launch to the demo server', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await expect(page.getByRole('button', { name: 'Connect to Demo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sightglass.phase).toHaveText('Ready');
});

test('the demo server is opened where it is connected already', async ({ sightglass }) => {
  const { page } = sightglass;
  const own = 'home/.claude/.mcp.json';
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.writeFile(own, '{"mcpServers":{"mine":{"command":"node"}}}');
  await sightglass.select('mine');
  await sightglass.removeFile(own);
  await expect(page.getByRole('button', { name: 'Connect to Demo' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Open Demo' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
});

test('a connection that is lost is no success', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.writeFile(
    'home/.claude/.mcp.json',
    '{"mcpServers":{"mine":{"command":"node"}}}',
  );
  await sightglass.select('mine');
  const call = {
    server: 'built-in:demo',
    key: 'k',
    tool: 'crash',
    input: '{}',
    task: null,
    shown: null,
  };
  const called = sightglass.invoke('call_tool', call).catch(() => {});
  const dialog = page.getByRole('dialog', { name: 'Call crash?' });
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await called;
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('lost its connection');
  await expect(messages).toContainText('▲');
  await expect(messages).not.toContainText('✓');
});
