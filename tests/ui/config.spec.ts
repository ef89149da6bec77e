import { join } from 'node:path';
import { expect, startingWith, test } from './support/sightglass';

/** The user's own file of the project. */
const LOCAL = 'project/.claude/.mcp.local.json';

test('the files of a client say of each definition whether it counts', async ({ sightglass }) => {
  await sightglass.openFiles();
  const headings = sightglass.files.getByRole('columnheader');
  await expect(headings).toHaveText([
    /Server/,
    /^Local/,
    /^Project/,
    /^Project root/,
    /^User/,
    /^Chimera/,
  ]);
  await expect(await sightglass.configCell('github', 'Local')).toContainText('Counts here');
  await expect(await sightglass.configCell('github', 'User')).toContainText('Shadowed by Local');
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Disabled');
  await expect(await sightglass.configCell('shell', 'Project')).toContainText('Refused by policy');
  await expect(await sightglass.configCell('search', 'Project')).toContainText(/Invalid \d+:5/);
  await expect(await sightglass.configCell('deploy', 'Project')).toContainText('Needs approval');
  await expect(await sightglass.configCell('linear', 'User')).toHaveAccessibleName('Not in User');
});

test('the files of a client are a grid for the keyboard, and explains what it comes to', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('searchbox', { name: 'Filter this client’s servers' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(sightglass.files).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('k');
  await page.keyboard.press('Home');
  await expect(sightglass.explanation('github')).toContainText('Priority: local > project');
  await page.keyboard.press('ArrowRight');
  const cell = await sightglass.configCell('github', 'Local');
  await expect(sightglass.files).toHaveAttribute(
    'aria-activedescendant',
    (await cell.getAttribute('id')) ?? 'no id',
  );
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('article', { name: 'Local' })).toContainText('Highest of 5');
});

test('why a server is not loading is answered on its screen', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('shell');
  await expect(sightglass.explanation('shell')).toContainText('deniedMcpServers: serverName shell');
  await sightglass.selectConfig('postgres');
  const postgres = sightglass.explanation('postgres');
  await expect(postgres).toContainText('DATABASE_URI, which is not set');
  const differing = postgres.getByRole('row').filter({ hasText: 'args[1]' });
  await expect(differing).toContainText('--access-mode=restricted');
  await expect(differing).toContainText('--access-mode=unrestricted');
  await sightglass.select('search');
  await page.getByRole('button', { name: /^Open at line/ }).click();
  await expect(page.locator('.cm-content')).toBeVisible();
});

test('a definition that is shadowed counts once it is moved', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('time');
  await sightglass
    .explanation('time')
    .getByRole('button', { name: 'Use the one in ~/.claude/.mcp.json instead' })
    .click();
  const dialog = sightglass.dialog('Move time');
  await expect(dialog).toContainText('defines time already');
  await dialog.getByRole('radio', { name: 'Replace it' }).click();
  await expect(dialog).toContainText('--local-timezone=Europe/Berlin');
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(await sightglass.configCell('time', 'Local')).toContainText('Defined here');
  await expect(await sightglass.configCell('time', 'User')).toHaveAccessibleName('Not in User');

  await sightglass.files.focus();
  await page.keyboard.press('Control+z');
  await expect(await sightglass.configCell('time', 'Local')).toContainText('Counts here');
  await page.keyboard.press('Control+Shift+z');
  await expect(await sightglass.configCell('time', 'Local')).toContainText('Defined here');
});

test('a definition is dragged to another file, and what is lost is named before', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  const from = await sightglass.configCell('linear', 'Project');
  const to = await sightglass.configCell('linear', 'User');
  const start = await from.boundingBox();
  const end = await to.boundingBox();
  if (!start || !end) throw new Error('the cells have no place on the screen');
  await page.mouse.move(start.x + 30, start.y + 14);
  await page.mouse.down();
  await page.mouse.move(end.x + 30, end.y + 14, { steps: 6 });
  await page.mouse.up();
  const dialog = sightglass.dialog('Move linear');
  await expect(dialog).toContainText('Only in Sightglass, every project – ~/.claude/.mcp.json');
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(await sightglass.configCell('linear', 'User')).toContainText('Defined here');
});

test('an edit shows in the text, as a difference, and can be taken back', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('filesystem');
  await sightglass.explanation('filesystem').getByRole('button', { name: 'Edit' }).click();
  const text = page.locator('.cm-content');
  await expect(text).toContainText('server-filesystem');
  await page.getByRole('button', { name: 'Add argument' }).click();
  await page.getByRole('textbox', { name: 'Argument 3' }).fill('/srv/shared');
  await expect(text).toContainText('"/srv/shared"');
  await page.keyboard.press('Control+s');
  const dialog = sightglass.dialog('Review the change');
  await expect(dialog.getByRole('region', { name: startingWith('Change of') })).toContainText(
    '/srv/shared',
  );
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(sightglass.files).toBeVisible();
  await expect(sightglass.explanation('filesystem')).toContainText('/srv/shared');
  await page.getByRole('button', { name: /^Undo: / }).click();
  await expect(sightglass.explanation('filesystem')).not.toContainText('/srv/shared');
});

test('what is typed into the text is in the form', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('linear');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue(
    'https://mcp.linear.app/mcp',
  );
  await page.getByText('"https://mcp.linear.app/mcp"').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('/v2');
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue(
    'https://mcp.linear.app/mcp/v2',
  );
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue(
    'https://mcp.linear.app/mcp',
  );
});

test('a broken file is mended at the line that is shown', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('broken');
  await page.getByRole('option', { name: startingWith('Broken file') }).click();
  await page.getByRole('button', { name: startingWith('Open at line') }).click();
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Problems of the text' })).toContainText(
    'line 5, column 28',
  );
  await page.keyboard.press('End');
  await page.keyboard.type(',');
  await expect(page.getByText('Valid JSON')).toBeVisible();
  await page.keyboard.press('Control+s');
  await sightglass.dialog('Review the change').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('option', { name: /^mail\b/ })).toBeVisible();
});

test('a file that changed underneath is never overwritten unseen', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('slack');
  await page.keyboard.press('Delete');
  const dialog = sightglass.dialog('Remove slack');
  await expect(dialog.getByRole('region', { name: /^Change of/ })).toBeVisible();
  // Between the difference that is seen and the press of the button.
  await sightglass.writeFile(
    'home/.claude/.mcp.json',
    '{"mcpServers":{"slack":{"command":"theirs"}}}\n',
  );
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toContainText('changed by another program');
  await dialog.getByRole('radio', { name: 'On disk now' }).click();
  await expect(dialog).toContainText('theirs');
  await dialog.getByRole('button', { name: 'Apply to what is on disk' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(sightglass.configRow('slack')).toHaveCount(0);
});

test('a change from outside is marked, and the editor asks what to keep', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  const theirs = '{\n  "mcpServers": {\n    "figma": {\n      "command": "theirs"\n    }\n  }\n}\n';
  await sightglass.writeFile(LOCAL, theirs);
  await expect(sightglass.configRow('figma')).toContainText('changed');
  await sightglass.selectConfig('figma');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Command' }).fill('mine');
  await expect(page.locator('.cm-content')).toContainText('mine');
  await sightglass.writeFile(LOCAL, theirs.replace('theirs', 'again'));
  await expect(page.getByText('Another program changed this file')).toBeVisible();
  await page.getByRole('button', { name: 'Reload from disk' }).click();
  await expect(page.getByRole('textbox', { name: 'Command' })).toHaveValue('again');
});

test('a connected server whose entry changed says so, and is connected anew', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('scopes');
  await sightglass.connect('filesystem');
  const entry = {
    command: 'node',
    args: [
      join(__dirname, '../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'),
      '.',
      '..',
    ],
  };
  const theirs = JSON.stringify({ mcpServers: { filesystem: entry } });
  await sightglass.writeFile(LOCAL, theirs);
  await sightglass.show('Overview');
  await expect(page.getByText('The entry changed after this connection')).toBeVisible();
  // The file is in the project's folder, so what it says now has to be approved.
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
  await expect(page.getByText('The entry changed after this connection')).toHaveCount(0);
  await expect(sightglass.phase).toHaveText('Ready');
});

test('while a text is typed, what its file can say is offered', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('slack');
  await page.keyboard.press('Enter');
  const text = page.locator('.cm-content');
  await text.getByText('"command"').first().click();
  await page.keyboard.press('Home');
  await page.keyboard.type('"hea');
  await page.keyboard.press('Control+Space');
  const offered = page.locator('.cm-tooltip-autocomplete');
  await expect(offered).toContainText('headers');
});

test('undo and redo go through the files one change after the other', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  const before = await (await sightglass.configCell('slack', 'User')).textContent();
  await sightglass.selectConfig('slack');
  await page.keyboard.press('d');
  await sightglass.dialog('Enable slack').getByRole('button', { name: 'Enable' }).click();
  await sightglass.selectConfig('filesystem');
  await page.keyboard.press('Delete');
  await sightglass.dialog('Remove filesystem').getByRole('button', { name: 'Remove' }).click();
  await expect(sightglass.configRow('filesystem')).toHaveCount(0);
  // The keys are the dialog's for as long as it is there, which is a moment longer than the row.
  await expect(sightglass.dialog('Remove filesystem')).toBeHidden();
  await sightglass.files.focus();
  await page.keyboard.press('Control+z');
  await expect(sightglass.configRow('filesystem')).toHaveCount(1);
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Defined here');
  await sightglass.files.focus();
  await page.keyboard.press('Control+z');
  await expect(await sightglass.configCell('slack', 'User')).toHaveText(before ?? '');
  await sightglass.files.focus();
  await page.keyboard.press('Control+Shift+z');
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Defined here');
});

test('a server of the project is approved once its command line was shown', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('scopes');
  await expect(sightglass.server('deploy')).toContainText('Needs approval');
  await sightglass.select('deploy');
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled();
  const approval = page.getByRole('region', { name: 'Needs approval' });
  for (const word of ['./scripts/deploy-mcp.sh', '--environment', 'staging', 'eu-central-1']) {
    await expect(approval).toContainText(word);
  }
  await expect(approval).toContainText('DEPLOY_TOKEN=${DEPLOY_TOKEN}');
  await approval.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled();
});

test('an approval is taken back where it stands', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('deploy');
  await expect(page.getByRole('button', { name: 'Revoke approval' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(await sightglass.configCell('deploy', 'Project')).toContainText('Defined here');
  const approved = page.getByRole('region', { name: 'Approved' });
  await expect(approved).toContainText(/approved for .*\/project;/);
  await approved.getByRole('button', { name: 'Revoke approval' }).click();
  await expect(await sightglass.configCell('deploy', 'Project')).toContainText('Needs approval');
  await expect(page.getByRole('region', { name: 'Needs approval' })).toBeVisible();
});

test('how to sign in is a part of the form, and checked while it is typed', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('linear');
  await page.keyboard.press('Enter');
  const text = page.locator('.cm-content');
  await page.getByText('Signing in', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Client ID', exact: true }).fill('sightglass');
  await page.getByRole('textbox', { name: 'Scopes' }).fill('read write');
  await expect(text).toContainText('"clientId": "sightglass"');
  await expect(text).toContainText('"write"');
  const port = page.getByRole('textbox', { name: 'Callback port' });
  await port.fill('99999');
  await port.blur();
  await expect(page.getByText('Enter a port from 1 to 65535.')).toBeVisible();
  await expect(page.getByRole('button', { name: startingWith('Review change') })).toBeDisabled();
  await port.fill('8123');
  await expect(text).toContainText('"callbackPort": 8123');

  await page.getByRole('button', { name: startingWith('As the server asks') }).click();
  await page.getByRole('option', { name: startingWith('Fixed token') }).click();
  await page.getByRole('textbox', { name: 'Variable with the token' }).fill('LINEAR_TOKEN');
  await expect(text).toContainText('"bearer_token_env_var": "LINEAR_TOKEN"');
  await expect(text).not.toContainText('clientId');
  await page.getByRole('button', { name: startingWith('Fixed token') }).click();
  await page.getByRole('option', { name: startingWith('Never') }).click();
  await expect(text).toContainText('"oauth": false');
});

test('servers are taken over from another client', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await page.getByRole('button', { name: 'Import…' }).click();
  const dialog = sightglass.dialog('Import from other clients');
  const cursor = dialog.getByRole('region', { name: 'Cursor, user' });
  await cursor.getByText('figma', { exact: true }).click();
  const claude = dialog.getByRole('region', { name: 'Claude Code, user' });
  await claude.getByText('github', { exact: true }).click();
  await expect(dialog.getByRole('radio', { name: 'Keep both' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Import 2 servers' }).click();
  await expect(await sightglass.configCell('figma', 'Local')).toContainText('Defined here');
  await expect(sightglass.configRow('github-2')).toBeVisible();
});

test('what is pasted is recognised and fills the form', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await page.getByRole('main').getByRole('button', { name: 'Add server' }).last().click();
  const dialog = sightglass.dialog('Add server');
  await dialog
    .getByRole('textbox', { name: 'Paste anything' })
    .fill('claude mcp add weather -- npx -y mcp-weather');
  await expect(dialog).toContainText('Recognised: claude command');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('weather');
  await expect(dialog.getByRole('textbox', { name: 'Argument 2' })).toHaveValue('mcp-weather');
  await expect(dialog).toContainText('Found at');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sightglass.server('weather')).toBeVisible();
});

test('an export leaves secrets out unless they are asked for', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.script((command, answer) =>
    command === 'save_export' ? '/home/ada/Documents/mcp.json' : answer,
  );
  await sightglass.openFiles();
  const cell = await sightglass.configCell('github', 'User');
  await cell.click();
  await page.keyboard.press('x');
  const dialog = sightglass.dialog('Export github');
  await expect(dialog).toContainText('Secrets are replaced by ${GITHUB_TOKEN}.');
  await expect(dialog).toContainText('"${GITHUB_TOKEN}"');
  await dialog.getByRole('button', { name: 'Save to a file…' }).click();
  await expect(page.getByText('Saved /home/ada/Documents/mcp.json')).toBeVisible();
  await expect(dialog).not.toContainText('ghp_5f8e');
  await dialog.getByText('With secrets').click();
  await expect(dialog).toContainText('ghp_5f8e');
  await expect(dialog).toContainText('This text holds secrets');
});

test('a backup is compared and restored', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.openFiles();
  await sightglass.selectConfig('slack');
  await page.keyboard.press('d');
  await sightglass.dialog('Enable slack').getByRole('button', { name: 'Enable' }).click();
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Defined here');
  await sightglass.files.getByRole('columnheader', { name: startingWith('User') }).click();
  await page.getByRole('button', { name: 'Compare and restore' }).click();
  const dialog = sightglass.dialog('Restore this backup');
  await expect(dialog).toContainText('"disabled": true');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(await sightglass.configCell('slack', 'User')).toContainText('Disabled');
});

test('of five hundred servers over many files only those on the screen are drawn', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.openFiles('huge');
  await expect(sightglass.files).toHaveAttribute('aria-rowcount', '501');
  await expect(sightglass.files).toHaveAttribute('aria-colcount', '6');
  const rows = sightglass.files.getByRole('row');
  expect(await rows.count()).toBeLessThan(60);
  await sightglass.files.focus();
  await page.keyboard.press('Control+End');
  await expect(sightglass.files.locator('[aria-rowindex="501"]')).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
  await page.getByRole('searchbox', { name: 'Filter this client’s servers' }).fill('deploy-1');
  await expect(page.getByText(/^\d+ of 500$/)).toBeVisible();
});

test.describe('in a small window', () => {
  test.use({ viewport: { width: 720, height: 480 } });

  test('a server is found, explained and edited', async ({ sightglass }) => {
    const { page } = sightglass;
    await sightglass.openFiles();
    await expect(sightglass.configRow('github')).toContainText('Counts in Local, shadows 2');
    await sightglass.configRow('github').getByRole('rowheader').click();
    await expect(sightglass.explanation('github')).toContainText('Priority: local > project');
    await page.keyboard.press('Escape');
    await expect(sightglass.files).toBeFocused();
    await page.keyboard.press('Enter');
    await sightglass.explanation('github').getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByRole('textbox', { name: 'Command' })).toHaveValue('npx');
    await page.getByRole('radio', { name: 'Text' }).click();
    await expect(page.locator('.cm-content')).toContainText('server-github');
    const overflow = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight];
    });
    expect(overflow).toEqual([0, 0]);
  });
});

test('a file that cannot be read is named in Setup, with the way to its mistake', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('broken');
  await page.keyboard.press('Control+0');
  const banner = page.getByRole('alert').filter({ hasText: 'cannot be read' });
  await expect(banner.first()).toContainText('.claude/.mcp.json');
  await expect(page.getByText('No server is defined')).toHaveCount(0);
  await banner
    .first()
    .getByRole('button', { name: /^Open at line \d+$/ })
    .click();
  await expect(page.getByRole('textbox', { name: /^Text of/ })).toBeVisible();
});

test('a draft that is kept is told from outside Setup', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('obstacles');
  await sightglass.select('gone');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('>edit this server');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Command', exact: true }).fill('another');
  await expect(page.getByRole('status').filter({ hasText: '● Not saved' })).toBeVisible();
  await sightglass.select('noisy');
  await expect(page.getByRole('button', { name: 'Setup ● Not saved' })).toBeVisible();
});

test('an import counts what it adds, and marks a name that is chosen twice', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('found');
  await page.getByRole('button', { name: 'Import into .mcp.json…' }).click();
  const dialog = sightglass.dialog('Import from other clients');
  await expect(dialog.getByRole('button', { name: 'Import 2 servers' })).toBeVisible();
  await dialog
    .getByRole('region', { name: /^Codex/ })
    .getByText('docs', { exact: true })
    .click();
  await expect(dialog.getByRole('button', { name: 'Import 1 server' })).toBeVisible();
  await dialog
    .getByRole('region', { name: /^Gemini CLI/ })
    .getByText('orders')
    .click();
  await expect(dialog.getByRole('button', { name: 'Import 2 servers' })).toBeVisible();
  await expect(dialog.getByText('same name twice')).toHaveCount(2);
  await dialog.getByText('Replace it').click();
  await expect(dialog.getByRole('button', { name: 'Import 1 server' })).toBeVisible();
  await dialog.getByText('Keep both').click();
  await dialog.getByRole('button', { name: 'Import 2 servers' }).click();
  // The name of the second begins with that of the first.
  await expect(sightglass.server('orders')).toHaveCount(2);
  await expect(sightglass.server('orders-2')).toBeVisible();
});
