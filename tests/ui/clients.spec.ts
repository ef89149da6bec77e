import { expect, test } from './support/sightglass';

test('the servers of eight clients stand in few groups, the same ones once, with their clients', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  const list = page.getByRole('listbox', { name: 'Servers' });
  const group = (name: string) => list.getByRole('group', { name, exact: true });
  await expect(group('This project').getByRole('option', { name: /^lint\b/ })).toHaveCount(1);
  await expect(group('Yours').getByRole('option', { name: /^docs\b/ })).toHaveCount(1);
  await expect(group('Built in').getByRole('option', { name: /^Demo\b/ })).toHaveCount(1);
  // Claude Code, Cursor and Zed have the same.
  await expect(sightglass.server('notes')).toHaveCount(1);
  await expect(sightglass.server('notes')).toHaveAccessibleName(/in Claude Code, Cursor, Zed/);
  await sightglass.connect('notes');
  await expect(sightglass.phase).toHaveText('Ready');
});

test('Setup begins at the server one comes from, and has the marks of the sidebar', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.select('notes');
  await sightglass.run('Switch servers on in clients');
  await expect(page.getByRole('switch', { name: /^notes in / }).first()).toBeFocused();
  await expect(page.getByRole('region', { name: 'notes in your clients' })).toBeVisible();
  await page.getByRole('radio', { name: /^Needs attention/ }).click();
  for (const marked of ['lint', 'search']) {
    await expect(page.getByRole('switch', { name: `${marked} in VS Code` })).toBeVisible();
  }
});

test('a group collapses by mouse and keys, and is remembered', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await page.getByText('Yours', { exact: true }).click();
  await expect(sightglass.server('docs')).toHaveCount(0);
  const folded = page.getByRole('option', { name: /^Yours, \d+ servers, collapsed$/ });
  await expect(folded).toBeVisible();
  await page.reload();
  await expect(folded).toBeVisible();
  await folded.click();
  await expect(sightglass.server('docs')).toBeVisible();
  await sightglass.server('docs').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(folded).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const first = page.getByRole('group', { name: 'Yours' }).getByRole('option').first();
  await expect(first).toBeFocused();
});

test('the inputs of a VS Code server are asked for in its words', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.select('search');
  await expect(sightglass.phase).toHaveText('Needs api-key, region');
  await page.getByRole('textbox', { name: 'api-key' }).fill('k3y');
  await page.getByRole('main').getByRole('button', { name: 'Connect' }).last().click();
  await expect(sightglass.phase).toHaveText('Ready');
});

test('one server is switched on in four clients, each file changed by its entry alone', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.run('Switch servers on in clients');
  const files = {
    Codex: 'home/.codex/config.toml',
    Windsurf: 'home/.codeium/windsurf/mcp_config.json',
    'Gemini CLI': 'home/.gemini/settings.json',
    OpenCode: 'home/.config/opencode/opencode.json',
  };
  for (const [client, file] of Object.entries(files)) {
    const before = await sightglass.readFile(file);
    const toggle = page.getByRole('switch', { name: `notes in ${client}` });
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect(toggle).toBeChecked();
    const after = await sightglass.readFile(file);
    expect(after).toContain('notes');
    // What was there is there still, byte for byte.
    let at = 0;
    for (const character of before) {
      at = after.indexOf(character, at) + 1;
      expect(at).toBeGreaterThan(0);
    }
  }
  await page.getByRole('switch', { name: 'notes in Gemini CLI' }).click();
  await expect(page.getByRole('switch', { name: 'notes in Gemini CLI' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(page.getByRole('switch', { name: 'notes in Gemini CLI' })).toBeChecked();
});

test('no profile is offered where there is no server to save', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.run('Switch servers on in clients');
  await expect(page.getByText('No server is defined')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Profiles' })).toHaveCount(0);
});

test('a profile switches its servers on and the others off, after the difference', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.run('Switch servers on in clients');
  await page.getByRole('button', { name: 'Profiles' }).click();
  await page.getByRole('menuitem', { name: 'Save as profile…' }).click();
  await page.getByRole('textbox', { name: 'Name of the profile' }).fill('work');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: /Profile$/ })).toContainText('work');
  await page.getByRole('switch', { name: 'docs in Codex' }).click();
  await expect(page.getByRole('button', { name: /Profile$/ })).not.toContainText('work');
  await page.getByRole('button', { name: /Profile$/ }).click();
  await page.getByRole('option', { name: 'work' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('enabled = false');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('switch', { name: 'docs in Codex' })).toBeChecked();
});

test('one definition is written to the clients that are chosen', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.run('Switch servers on in clients');
  await page.getByRole('button', { name: 'Copy notes to other clients' }).click();
  const dialog = sightglass.dialog('Copy notes to other clients');
  await dialog.getByText('Windsurf', { exact: true }).click();
  await dialog.getByText('VS Code', { exact: true }).click();
  await expect(dialog).toContainText('mcp_config.json');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('switch', { name: 'notes in VS Code' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'notes in Windsurf' })).toBeChecked();
});

test('a server is tried without saving it, and saved afterwards', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  const entry = JSON.parse(await sightglass.readFile('home/.claude.json')).mcpServers.notes;
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = sightglass.dialog('Add server');
  await dialog.getByRole('textbox', { name: 'Paste anything' }).fill(entry.command);
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toHaveValue('sightglass-demo-server');
  await name.fill('trial');
  await dialog.getByRole('button', { name: 'Connect without saving' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
  await expect(
    page.getByRole('listbox', { name: 'Servers' }).getByRole('group', { name: /^Not saved/ }),
  ).toContainText('trial');
  await sightglass.show('Overview');
  await page.getByRole('button', { name: 'Save to…' }).click();
  await sightglass.dialog('Add server').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Not saved' })).toHaveCount(0);
  await expect(sightglass.server('trial')).toHaveCount(1);
  // Claude Code is here, which reads that file too.
  expect(await sightglass.readFile('project/.mcp.json')).toContain('trial');
});
