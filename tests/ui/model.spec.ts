import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Sightglass, test } from './support/sightglass';

const EVERYTHING = join(
  __dirname,
  '../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

const entry = { command: 'node', args: [EVERYTHING, 'stdio'] };

/** Opens the window with server-everything in Claude Code, with its rules, and in Codex. */
async function open(
  sightglass: Sightglass,
  deny = ['Bash', 'mcp__everything__get-*'],
): Promise<void> {
  await sightglass.open('clients');
  await sightglass.writeFile(
    'home/.claude/settings.json',
    JSON.stringify(
      {
        permissions: {
          allow: ['mcp__everything', 'mcp__*'],
          deny,
          ask: ['mcp__*__trigger*'],
        },
      },
      null,
      2,
    ),
  );
  await sightglass.writeFile(
    'home/.claude.json',
    JSON.stringify({ mcpServers: { everything: entry, 'my notes': entry } }),
  );
}

async function section(sightglass: Sightglass, name: string): Promise<void> {
  await sightglass.page.getByRole('radio', { name, exact: true }).click();
}

async function chooseClient(sightglass: Sightglass, client: string): Promise<void> {
  const { page } = sightglass;
  await page.getByRole('button', { name: /Client$/ }).click();
  await page.getByRole('option', { name: client, exact: true }).click();
}

/** Opens Setup, and there what Claude Code gets of all its servers. */
async function whatClaudeGets(sightglass: Sightglass): Promise<void> {
  const { page } = sightglass;
  await page.getByRole('button', { name: /^Setup/ }).click();
  await sightglass.openClient('Claude Code');
  await page.getByRole('radio', { name: 'What it gets' }).click();
}

async function expectNoViolation(sightglass: Sightglass): Promise<void> {
  const { violations } = await new AxeBuilder({ page: sightglass.page }).analyze();
  expect(violations).toEqual([]);
}

test('each client writes its own names, and a name out of a log leads back', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await open(sightglass);
  await sightglass.select('everything');
  await expect(page.getByRole('tab', { name: /^In clients/ })).toHaveCount(0);
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await section(sightglass, 'Names');
  const names = page.getByRole('grid', { name: 'Names' });
  await expect(names).toContainText('mcp__everything__echo');
  const field = page.getByRole('textbox', { name: 'Name out of a log' });
  const candidates = page.getByRole('list', { name: 'What it may mean' });
  await field.fill('mcp__everything__get-sum');
  await expect(candidates).toContainText('Tool get-sum');
  await expect(candidates).toContainText('of everything, as Claude Code writes it');
  await expect(candidates).toContainText('listed');
  // A name that another client writes is found too.
  await field.fill('mcp_everything_get-sum');
  await expect(candidates).toContainText('as Gemini CLI writes it');
  await field.fill('nothing');
  await expect(page.getByText('No client would write this name')).toBeVisible();
  await chooseClient(sightglass, 'Codex');
  await names.getByRole('row', { name: /mcp__everything__get_sum/ }).click();
  const side = page.getByRole('region', { name: 'Selected name' });
  await expect(side).toContainText('Characters replaced');
  await chooseClient(sightglass, 'OpenCode');
  await expect(names).toContainText('everything_get-sum');
  await expectNoViolation(sightglass);
});

test('the tokens are those that an independent count has', async ({ sightglass }) => {
  const { page } = sightglass;
  await open(sightglass, ['Bash']);
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await section(sightglass, 'Cost');
  // The figures of js-tiktoken 1.0.21 over the list of 19 tools, with the names of Claude Code.
  const figures = page.getByRole('table', { name: 'Cost of the whole list' });
  const line = (name: string) => figures.getByRole('row', { name });
  await expect(line('As the server sends it')).toContainText('≈2,678');
  await expect(line('As the server sends it')).toContainText('12,082');
  await expect(line('As the client sends it')).toContainText('≈1,884');
  await expect(line('As the client sends it')).toContainText('0.9 %');
  await expect(line('As the client sends it')).toContainText('8,594');
  await expect(line('Names alone')).toContainText('≈192');
  await expect(line('Names alone')).toContainText('730');
  const tools = page.getByRole('grid', { name: 'Tools by cost' });
  await expect(tools.getByRole('row').nth(1)).toContainText('trigger-url-elicitation');
  await tools.getByRole('button', { name: 'Description' }).click();
  await expect(tools.getByRole('row').nth(1)).toContainText('≈79');
  // Exact for a model with this vocabulary.
  await page.getByRole('button', { name: /Counted for/ }).click();
  await page.getByRole('option', { name: 'GPT (o200k)' }).click();
  await expect(line('As the client sends it')).toContainText('1,884');
  await expect(figures).not.toContainText('≈');
  // Whether tools are loaded on demand, and what a query would load.
  const search = page.getByRole('region', { name: 'Tool search' });
  await expect(search.getByRole('status')).toContainText('On');
  await page.getByRole('button', { name: /ENABLE_TOOL_SEARCH/ }).click();
  await page.getByRole('option', { name: 'auto (10 %)' }).click();
  await expect(search.getByRole('status')).toContainText('Off');
  await expect(search.getByRole('status')).toContainText('are below 20000');
  await page.getByRole('button', { name: /Context window/ }).click();
  await page.getByRole('option', { name: '32,000 tokens' }).click();
  await expect(line('As the client sends it')).toContainText('5.8 %');
  await search.getByRole('searchbox', { name: 'Try a query' }).fill('sum');
  const found = page.getByRole('list', { name: 'Tools that the query finds' });
  await expect(found).toContainText('mcp__everything__get-sum');
  // A result against the limits.
  const results = page.getByRole('region', { name: 'Results of calls' });
  await expect(results).toContainText('warns from 10,000 tokens and cuts after 25,000');
  await results.getByRole('textbox').fill('hello '.repeat(11_000));
  await expect(results.getByRole('status')).toContainText('The client warns');
  await results.getByRole('textbox').fill('hello');
  await expect(results.getByRole('status')).toContainText('Within the limits');
  await expectNoViolation(sightglass);
});

test('each interface gets the tools in its form, with every change explained', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await open(sightglass);
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await section(sightglass, 'As sent');
  const texts = page.getByRole('region', { name: 'Original and sent tool' });
  await expect(texts).toContainText('"input_schema"');
  await page.getByRole('button', { name: /Model interface/ }).click();
  await page.getByRole('option', { name: 'Gemini', exact: true }).click();
  const tools = page.getByRole('grid', { name: 'Tools as sent' });
  await page.getByRole('searchbox', { name: 'Filter tools' }).fill('gzip');
  await tools.getByRole('row', { name: /gzip-file-as-resource/ }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('/inputSchema/properties/data/format');
  await expect(changes).toContainText('Gemini refuses the format uri');
  await expect(changes.getByRole('link').first()).toBeVisible();
  await expectNoViolation(sightglass);
  await section(sightglass, 'Findings');
  const findings = page.getByRole('grid', { name: 'Findings by model interface' });
  await findings.getByRole('row', { name: /Gemini refuses the format uri/ }).click();
  const places = page.getByRole('region', { name: 'Places' });
  await expect(places).toContainText('/inputSchema/properties/data/format');
  await expect(places).toContainText('/inputSchema/properties/url/format');
  await expectNoViolation(sightglass);
});

test('the rule that decides on a call is told with its file and line', async ({ sightglass }) => {
  const { page } = sightglass;
  await open(sightglass);
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await section(sightglass, 'Permissions');
  const rules = page.getByRole('grid', { name: 'Permissions' });
  await expect(rules.getByRole('row', { name: /mcp__everything__get-\*/ })).toContainText(
    '.claude/settings.json:9',
  );
  const verdict = page.getByRole('region', { name: 'Verdict' });
  const tool = page.getByRole('combobox', { name: 'Name of the tool' });
  await tool.fill('get-sum');
  await expect(verdict.getByRole('status')).toContainText('Deny');
  await expect(verdict.getByRole('status')).toContainText('settings.json:9');
  await expect(rules.getByRole('row', { name: /mcp__everything__get-\*/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await tool.fill('trigger-long-running-operation');
  await expect(verdict.getByRole('status')).toContainText('Ask');
  await tool.fill('echo');
  await expect(verdict.getByRole('status')).toContainText('Allow');
  await expect(verdict.getByRole('status')).toContainText('Disregarded');
  await expect(verdict.getByRole('status')).toContainText('must begin with');
  await page.keyboard.press('Escape');
  await expectNoViolation(sightglass);
  // A file that changes is read again.
  await sightglass.writeFile('home/.claude/settings.json', '{"permissions": {"ask": ["mcp__x"]}}');
  await expect(rules.getByRole('row')).toHaveCount(2);
  await expect(verdict.getByRole('status')).toContainText('No rule');
});

test('all servers of a client stand together', async ({ sightglass }) => {
  const { page } = sightglass;
  await open(sightglass);
  await expect(sightglass.server('my notes')).toBeVisible();
  await whatClaudeGets(sightglass);
  await expect(page.getByText('2 servers of Claude Code · 0 connected')).toBeVisible();
  await expect(page.getByText('No server of this client is connected')).toBeVisible();
  await page.getByRole('button', { name: 'Connect 2 servers' }).click();
  await expect(page.getByText('2 servers of Claude Code · 2 connected')).toBeVisible();
  await section(sightglass, 'Names');
  const names = page.getByRole('grid', { name: 'Names' });
  await page.getByRole('searchbox', { name: 'Filter names' }).fill('get-sum');
  await expect(names.getByRole('row', { name: /mcp__my_notes__get-sum/ })).toHaveCount(1);
  await expect(names.getByRole('row', { name: /mcp__everything__get-sum/ })).toHaveCount(1);
  await section(sightglass, 'Cost');
  const figures = page.getByRole('table', { name: 'Cost of the whole list' });
  await expect(figures.getByRole('row', { name: 'As the server sends it' })).toContainText('5,3');
  await section(sightglass, 'Permissions');
  await expect(page.getByRole('button', { name: /Server$/ })).toBeVisible();
  await chooseClient(sightglass, 'VS Code');
  await expect(page.getByText('No rules of VS Code are known')).toBeVisible();
  await chooseClient(sightglass, 'caliban');
  await section(sightglass, 'Names');
  await expect(page.getByText('caliban has no servers here')).toBeVisible();
  await expectNoViolation(sightglass);
});

test('what each server and each profile costs is told, the heaviest first', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await open(sightglass, ['Bash']);
  await expect(sightglass.server('my notes')).toBeVisible();
  await sightglass.run('Switch servers on in clients');
  await page.getByRole('button', { name: 'Profiles' }).click();
  await page.getByRole('menuitem', { name: 'Save as profile…' }).click();
  await page.getByRole('textbox', { name: 'Name of the profile' }).fill('work');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: /Profile$/ })).toContainText('work');

  await sightglass.connect('everything');
  await page.getByRole('button', { name: /^Setup/ }).click();
  // The matrix has the sum under the client, which leads to what it is made of.
  await page
    .getByRole('button', { name: /^≈[\d.]+k tokens$/ })
    .first()
    .click();
  const servers = page.getByRole('table', { name: 'By server' });
  await expect(servers.getByRole('row')).toHaveCount(2);
  // Without the marks that open the list, which is 1,884 with them.
  await expect(servers.getByRole('row', { name: 'everything' })).toContainText('≈1,882');
  await expect(servers.getByRole('row', { name: 'everything' })).toContainText('19');
  const profiles = page.getByRole('table', { name: 'By profile' });
  await expect(profiles.getByRole('row', { name: /^work/ })).toContainText('1 of 2 connected');
  await page.getByRole('button', { name: 'Connect 1 server' }).click();
  await expect(servers.getByRole('row')).toHaveCount(3);
  await expect(profiles.getByRole('row', { name: /^work/ })).not.toContainText('connected');
  await expect(profiles.getByRole('row', { name: /^work/ })).toContainText('38');
  await expectNoViolation(sightglass);
});

test('a tool is taken from Claude Code by a rule that is shown first', async ({ sightglass }) => {
  const { page } = sightglass;
  await open(sightglass);
  await sightglass.select('everything');
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await chooseClient(sightglass, 'Claude Code');
  await section(sightglass, 'Tools on/off');
  const tools = page.getByRole('grid', { name: 'Tools on/off' });
  const sum = page.getByRole('status').filter({ hasText: 'tools on' });
  await expect(tools.getByRole('row', { name: /^off get-env/ })).toContainText(
    'mcp__everything__get-*',
  );
  // Another rule decides on it.
  await tools.getByRole('row', { name: /get-env/ }).click();
  await expect(page.getByRole('button', { name: 'Review change' })).toBeDisabled();
  const before = await sum.textContent();
  await tools.getByRole('row', { name: /^on echo/ }).click();
  await expect(sum).not.toHaveText(before ?? '');
  await expectNoViolation(sightglass);
  await page.getByRole('button', { name: 'Review change' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('"mcp__everything__echo"');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(tools.getByRole('row', { name: /^off echo/ })).toHaveCount(1);
  expect(await sightglass.readFile('home/.claude/settings.json')).toContain(
    'mcp__everything__echo',
  );
});

test('tools are switched in the own form of a client, and the tokens fall', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  const before = [
    '# mine',
    '[mcp_servers.everything]',
    `command = "node"`,
    `args = ["${EVERYTHING}", "stdio"]`,
    'disabled_tools = ["echo"]',
    '',
  ].join('\n');
  await sightglass.writeFile('home/.codex/config.toml', before);
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await section(sightglass, 'Tools on/off');
  const tools = page.getByRole('grid', { name: 'Tools on/off' });
  const sum = page.getByRole('status').filter({ hasText: 'tools on' });
  await expect(sum).toContainText('18 of 19 tools on');
  await expect(tools.getByRole('row', { name: /^off echo/ })).toHaveCount(1);
  const left = async () =>
    Number(((await sum.locator('b').textContent()) ?? '').replace(/[^\d]/g, ''));
  const first = await left();
  const row = tools.getByRole('row', { name: /get-env/ });
  await row.click();
  await expect(row).toContainText('switched off');
  await expect(sum).toContainText('17 of 19 tools on');
  expect(await left()).toBeLessThan(first);
  await page.keyboard.press(' ');
  await expect(sum).toContainText('18 of 19 tools on');
  await page.keyboard.press('Enter');
  await expect(sum).toContainText('17 of 19 tools on');
  await expectNoViolation(sightglass);
  await page.getByRole('button', { name: 'Review change' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('disabled_tools = ["echo", "get-env"]');
  // Nothing is written before it was looked at.
  expect(await sightglass.readFile('home/.codex/config.toml')).toBe(before);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await sightglass.readFile('home/.codex/config.toml')).toBe(
    before.replace('["echo"]', '["echo", "get-env"]'),
  );
  await expect(page.getByRole('button', { name: 'Review change' })).toBeDisabled();
  // The rules of the client say the same of the call.
  await section(sightglass, 'Permissions');
  await page.getByRole('combobox', { name: 'Name of the tool' }).fill('get-env');
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('disabled_tools');
  await chooseClient(sightglass, 'Claude Code');
  await section(sightglass, 'Tools on/off');
  await expect(
    page.getByText('everything is not in the configuration of Claude Code'),
  ).toBeVisible();
  await chooseClient(sightglass, 'Gemini CLI');
  await expect(
    page.getByText('everything is not in the configuration of Gemini CLI'),
  ).toBeVisible();
});

test('tools of OpenCode are denied in the file of the server, where no other rule decides', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  const own = 'home/.config/opencode/opencode.json';
  const entry = { type: 'local', command: ['node', EVERYTHING, 'stdio'] };
  const written = { mcp: { everything: entry }, permission: { 'everything_get-*': 'deny' } };
  await sightglass.writeFile(own, JSON.stringify(written, null, 2));
  await sightglass.connect('everything');
  await sightglass.show('In clients');
  await chooseClient(sightglass, 'OpenCode');
  await section(sightglass, 'Tools on/off');
  const tools = page.getByRole('grid', { name: 'Tools on/off' });
  await expect(tools.getByRole('row', { name: /^off get-env/ })).toContainText('everything_get-*');
  await tools.getByRole('row', { name: /^on echo/ }).click();
  await expectNoViolation(sightglass);
  await page.getByRole('button', { name: 'Review change' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('"everything_echo": "deny"');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(tools.getByRole('row', { name: /^off echo/ })).toHaveCount(1);
  expect(JSON.parse(await sightglass.readFile(own)).permission).toEqual({
    'everything_get-*': 'deny',
    everything_echo: 'deny',
  });
  await section(sightglass, 'Permissions');
  await expect(
    page.getByRole('grid', { name: 'Permissions' }).getByRole('row', { name: /everything_echo/ }),
  ).toContainText('Deny');
  await page.getByRole('combobox', { name: 'Name of the tool' }).fill('echo');
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('Last match');
});
