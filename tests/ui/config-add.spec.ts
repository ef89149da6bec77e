import type { Locator } from '@playwright/test';
import { expect, type Sightglass, startingWith, test } from './support/sightglass';

const SERVER_JSON = JSON.stringify({
  name: 'io.github.acme/weather',
  packages: [
    {
      registryType: 'npm',
      identifier: '@acme/weather-mcp',
      transport: { type: 'stdio' },
      environmentVariables: [
        { name: 'WEATHER_API_KEY', isRequired: true, isSecret: true },
        { name: 'UNITS', default: 'metric', choices: ['metric', 'imperial'] },
      ],
    },
  ],
  remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
});

async function openAdd(sightglass: Sightglass, origin: string): Promise<Locator> {
  await sightglass.openFiles();
  await sightglass.page
    .getByRole('main')
    .getByRole('button', { name: 'Add server' })
    .last()
    .click();
  const dialog = sightglass.dialog('Add server');
  await dialog.getByRole('radio', { name: origin }).click();
  return dialog;
}

test('a server of the registry is searched, given what it asks for, and saved', async ({
  sightglass,
}) => {
  const dialog = await openAdd(sightglass, 'Registry');
  const search = dialog.getByRole('searchbox', { name: 'Search the MCP registry' });
  await expect(search).toBeFocused();
  const listed = dialog.getByRole('listbox', { name: 'Servers of the registry' });
  await expect(listed.getByRole('option')).toHaveCount(6);
  await dialog.getByRole('button', { name: 'Show more' }).click();
  await expect(listed.getByRole('option')).toHaveCount(7);
  await search.fill('weather');
  await expect(listed.getByRole('option')).toHaveCount(1);
  await listed.getByRole('option', { name: 'Weather' }).click();

  await expect(dialog).toContainText('${WEATHER_API_KEY} has no value here');
  await dialog.getByLabel(startingWith('WEATHER_API_KEY')).fill('k-123');
  await expect(dialog).not.toContainText('has no value here');
  await expect(dialog).toContainText('Stored in the file. Safer: keep it in the secret storage');
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText('"WEATHER_API_KEY": "k-123"');
  await expect(change).toContainText('"UNITS": "metric"');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sightglass.server('weather')).toBeVisible();
});

test('another version and another way to use it are chosen', async ({ sightglass }) => {
  const { page } = sightglass;
  const dialog = await openAdd(sightglass, 'Registry');
  await dialog.getByRole('option', { name: 'Weather' }).click();
  const ways = dialog.getByRole('radiogroup', { name: 'Use it by' });
  await expect(ways.getByRole('radio', { name: startingWith('The npm package') })).toBeChecked();
  await ways.getByText('A remote server').click();
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText('https://weather.example.com/mcp');
  await expect(dialog).not.toContainText('Values it needs');

  await dialog.getByRole('button', { name: startingWith('1.2.0') }).click();
  await page.getByRole('option', { name: startingWith('0.9.2') }).click();
  await expect(dialog).toContainText('marks this version as deprecated');
  await expect(dialog).toContainText('names no package and no address');
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Results' }).click();
  await expect(dialog.getByRole('listbox', { name: 'Servers of the registry' })).toBeVisible();
});

test('each kind of package says what it would start', async ({ sightglass }) => {
  const dialog = await openAdd(sightglass, 'Registry');
  await dialog.getByRole('option', { name: 'Maps' }).click();
  const ways = dialog.getByRole('radiogroup', { name: 'Use it by' });
  for (const [kind, starts] of [
    ['The PyPI package acme-maps', 'uvx acme-maps==1.2.0'],
    ['The OCI image ghcr.io/acme/maps:1.2.0', 'docker run -i --rm ghcr.io/acme/maps:1.2.0'],
    ['The NuGet package Acme.Maps', 'dnx Acme.Maps@1.2.0 --yes'],
    ['The MCPB bundle', '/weather.mcpb'],
  ] as const) {
    await expect(ways.getByRole('radio', { name: startingWith(kind) })).toHaveCount(1);
    await expect(ways).toContainText(starts);
  }
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await ways.getByText('The OCI image').click();
  await expect(change).toContainText('"docker"');

  await ways.getByText('The MCPB bundle').click();
  await expect(change).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Download and read' }).click();
  await expect(dialog.getByRole('region', { name: 'Bundle' })).toContainText('forecast, warnings');
  await dialog.getByLabel(startingWith('Key')).fill('k-123');
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await expect(sightglass.server('weather')).toBeVisible();
  await expect(sightglass.page.getByRole('main')).toContainText('Works · 2 tools');
});

test('without a network it says so, and what to do instead', async ({ sightglass }) => {
  const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
  await sightglass.cut('registry');
  await dialog.getByRole('radio', { name: 'Registry' }).click();
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('The registry cannot be reached');
  await sightglass.cut('registry', false);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('option', { name: 'Weather' })).toBeVisible();
  await sightglass.cut('registry');
  await dialog.getByRole('searchbox').fill('mail');
  await alert.getByRole('button', { name: 'Paste instead' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Paste anything' })).toBeFocused();
});

test('a server.json that is pasted asks for its inputs', async ({ sightglass }) => {
  const { page } = sightglass;
  const dialog = await openAdd(sightglass, 'Paste or type');
  await dialog.getByRole('textbox', { name: 'Paste anything' }).fill(SERVER_JSON);
  await expect(dialog).toContainText('One server, with 2 ways to use it');
  await dialog.getByRole('button', { name: startingWith('metric') }).click();
  await page.getByRole('option', { name: 'imperial' }).click();
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  // What was left empty is read from the environment once that is allowed.
  await expect(dialog.getByRole('alert')).toContainText('Enter a value, or allow it to read');
  await dialog.getByRole('checkbox', { name: /WEATHER_API_KEY/ }).click({ force: true });
  await expect(change).toContainText('"UNITS": "imperial"');
  await expect(change).toContainText('"WEATHER_API_KEY": "${WEATHER_API_KEY}"');
});

test('a bundle shows its manifest, and says that nothing is run', async ({ sightglass }) => {
  const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
  await expect(dialog).toContainText('Nothing in the bundle is unpacked or run');
  const path = await sightglass.path('weather.mcpb');
  await dialog.getByRole('textbox', { name: 'Path of the bundle' }).fill(path);
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('region', { name: 'Bundle' })).toContainText(path);
  await dialog.getByRole('button', { name: 'Choose another…' }).click();
  const bundle = dialog.getByRole('region', { name: 'Bundle' });
  await expect(bundle).toContainText('forecast, warnings');
  await expect(bundle).toContainText('Nothing in the bundle was unpacked or run');
  await bundle.getByText('Manifest', { exact: true }).click();
  await expect(bundle.getByRole('region', { name: 'Manifest' })).toContainText(
    '"entry_point": "server/index.js"',
  );
  await expect(bundle).toContainText('Save unpacks 2 files');
});

test('a bundle is unpacked when it is saved, and its server connects', async ({ sightglass }) => {
  const { page } = sightglass;
  const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
  await dialog.getByRole('button', { name: 'Choose a bundle…' }).click();
  const directory = await sightglass.path('data/bundles/weather-2.0.1-');
  await expect(dialog.getByRole('region', { name: 'Bundle' })).toContainText(directory);
  // It is not there yet.
  await expect(dialog.getByRole('button', { name: 'Connect without saving' })).toHaveCount(0);
  await expect(dialog).toContainText('${WEATHER_KEY} has no value here');
  const key = dialog.getByLabel(startingWith('Key'));
  await expect(key).toHaveAttribute('type', 'password');
  await key.fill('k-123');

  const days = dialog.getByLabel(startingWith('Days'));
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toBeEnabled();
  await days.fill('15');
  await expect(dialog).toContainText('The most is 14.');
  await expect(save).toBeDisabled();
  await days.fill('3');

  const home = await sightglass.path('home');
  const places = dialog.getByLabel(startingWith('Places'));
  await expect(places).toHaveValue(`${home}/places`);
  await places.fill(`${home}/places\n/srv/places`);
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText(`${directory}`);
  await expect(change).toContainText('"/srv/places"');
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await expect(sightglass.server('weather')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Works · 2 tools');
});

for (const [text, words] of [
  ['@modelcontextprotocol/server-memory', 'Recognised: npm package'],
  ['mcp-server-time', 'Recognised: PyPI package'],
  ['https://weather.example.com/mcp', 'Recognised: URL'],
] as const) {
  test(`${text} is enough to add a server`, async ({ sightglass }) => {
    const dialog = await openAdd(sightglass, 'Paste or type');
    await dialog.getByRole('textbox', { name: 'Paste anything' }).fill(text);
    await expect(dialog).toContainText(words);
    await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  });
}

test.describe('in a small window', () => {
  test.use({ viewport: { width: 720, height: 480 } });

  test('the registry fits', async ({ sightglass }) => {
    const dialog = await openAdd(sightglass, 'Registry');
    await dialog.getByRole('option', { name: 'Weather' }).click();
    await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeInViewport();
    const isCut = await dialog.evaluate((node) => node.scrollWidth > node.clientWidth);
    expect(isCut).toBe(false);
  });
});

test('a container is named after its image, and what it hands on is asked for', async ({
  sightglass,
}) => {
  const dialog = await openAdd(sightglass, 'Paste or type');
  await dialog
    .getByRole('textbox', { name: 'Paste anything' })
    .fill('docker run -i --rm -e TRACKER_TOKEN acme/tracker-mcp');
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('tracker');
  await expect(dialog).toContainText('${TRACKER_TOKEN} has no value here');
  const token = dialog.getByLabel(startingWith('TRACKER_TOKEN'));
  await expect(token).toHaveAttribute('type', 'password');
  await token.fill('ghp_1');
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText('"TRACKER_TOKEN": "ghp_1"');
  await expect(dialog.getByRole('button', { name: 'Save and connect' })).toBeEnabled();
});

test('a home directory that no shell expands is explained', async ({ sightglass }) => {
  const dialog = await openAdd(sightglass, 'Paste or type');
  const paste = dialog.getByRole('textbox', { name: 'Paste anything' });
  await paste.fill('npx -y @acme/server-notes ~/Documents');
  await expect(dialog).toContainText('~ is written as ${HOME}');
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText('"${HOME}/Documents"');
  await dialog.getByRole('textbox', { name: 'Argument 3' }).fill('~/Music');
  await expect(dialog).toContainText('No shell expands ~ here. Write ${HOME} in its place.');
});

test('servers whose names are taken are said in their rows', async ({ sightglass }) => {
  const dialog = await openAdd(sightglass, 'Paste or type');
  const servers = { everything: { command: 'a' }, other: { command: 'b' } };
  await dialog
    .getByRole('textbox', { name: 'Paste anything' })
    .fill(JSON.stringify({ mcpServers: { ...servers, postgres: { command: 'c' } } }));
  const found = dialog.getByRole('list', { name: 'Servers found' });
  await expect(found.getByRole('listitem').filter({ hasText: 'name is taken' })).toHaveCount(1);
  await expect(dialog).toContainText('3 servers: 2 new, 1 name taken');
  await dialog.getByRole('radio', { name: 'Skip' }).click();
  await expect(dialog.getByRole('region', { name: startingWith('Change of') })).toContainText(
    '"other"',
  );
});

test('an install link of another client fills the form, and saves nothing by itself', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = sightglass.dialog('Add server');
  const config = Buffer.from('{"command":"npx","args":["-y","docs-server"]}').toString('base64');
  const link = `cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=${config}`;
  const paste = dialog.getByRole('textbox', { name: 'Paste anything' });
  await paste.fill(link);
  await expect(dialog).toContainText('Recognised: install link');
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('linked');
  await paste.fill('cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=***');
  await expect(dialog).toContainText('This link cannot be used');
  await page.keyboard.press('Escape');
  await expect(sightglass.server('linked')).toHaveCount(0);
});

test('servers of the local network are looked for when that is asked for', async ({
  sightglass,
}) => {
  const dialog = await openAdd(sightglass, 'Local network');
  await expect(dialog).toContainText('no server is contacted');
  await sightglass.announce("Ada's notes", 'ada.local.', 8080, '/mcp');
  await sightglass.announce('Bank\u202e', 'bank.local.', 8081, '/${HOME}');
  await expect(dialog.getByRole('radiogroup', { name: 'Announced servers' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Look on the local network' }).click();
  const found = dialog.getByRole('radiogroup', { name: 'Announced servers' });
  await expect(found).toContainText('ada.local:8080/mcp (127.0.0.1)');
  // What turns the text around it is shown by its number.
  await expect(found).toContainText('Bank\\u{202e}');
  await expect(found).not.toContainText('\u202e');
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await found.getByText("Ada's notes").click();
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
    'ada-s-notes',
  );
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText('http://ada.local:8080/mcp');
  await found.getByText('bank.local').click();
  await expect(change).toContainText('http://bank.local:8081/$%7BHOME%7D');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sightglass.server('bank')).toBeVisible();
});

test('each file is named by who reads it, and the usual one is read by others', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = sightglass.dialog('Add server');
  const saved = dialog.getByRole('button', { name: /Saved in/ });
  await expect(saved).toContainText('Only in Sightglass, this project – .claude/.mcp.json');
  await page.keyboard.press('Escape');

  await sightglass.writeFile('project/.mcp.json', '{ "mcpServers": {} }');
  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(saved).toContainText('Claude Code, this project – .mcp.json');
  await expect(dialog).toContainText('with Claude Code or Sightglass');
  await saved.click();
  const offered = page.getByRole('option');
  await expect(offered.filter({ hasText: 'Only in Sightglass' })).toHaveCount(3);
  await expect(offered.filter({ hasText: ' – .mcp.json' })).toHaveCount(1);
});

test('a bare host is an address', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = sightglass.dialog('Add server');
  await dialog.getByRole('textbox', { name: 'Paste anything' }).fill('mcp.example.com/mcp');
  await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue(
    'https://mcp.example.com/mcp',
  );
});

test('a local network without servers says so', async ({ sightglass }) => {
  const dialog = await openAdd(sightglass, 'Local network');
  await dialog.getByRole('button', { name: 'Look on the local network' }).click();
  await expect(dialog).toContainText('No server is announced');
  await expect(dialog.getByRole('button', { name: 'Look again' })).toBeEnabled();
});

test('a secret of a bundle goes into the keychain, and its file has a reference', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
  const path = await sightglass.path('weather.mcpb');
  await dialog.getByRole('textbox', { name: 'Path of the bundle' }).fill(path);
  await dialog.getByRole('button', { name: 'Read' }).click();
  await dialog.getByLabel(startingWith('Key')).fill('k-1234567890');
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  await expect(change).toContainText('"WEATHER_KEY": "${secret:WEATHER_KEY}"');
  await expect(change).not.toContainText('k-1234567890');

  // Another client cannot resolve it, and that is said before anything can be saved.
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await dialog.getByRole('button', { name: /Saved in/ }).click();
  await page.getByRole('option', { name: startingWith('Claude Code, every project') }).click();
  await expect(dialog).toContainText('does not know Sightglass’s secret storage');
  await expect(save).toBeDisabled();
  await dialog.getByRole('radio', { name: 'The file' }).click();
  await expect(dialog).toContainText('They are written as plain text');
  await expect(change).toContainText('k-1234567890');
  await expect(save).toBeEnabled();

  await dialog.getByRole('button', { name: /Saved in/ }).click();
  await page
    .getByRole('option', { name: startingWith('Only in Sightglass, every project') })
    .click();
  await dialog.getByRole('radio', { name: 'The secret storage' }).click();
  await save.click();
  await expect(sightglass.server('weather')).toBeVisible();
  const file = await sightglass.readFile('home/.claude/.mcp.json');
  expect(file).toContain('${secret:WEATHER_KEY}');
  expect(file).not.toContain('k-1234567890');
});

test('an unpacked bundle that no entry uses is removed, and brought back', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
  const path = await sightglass.path('weather.mcpb');
  await dialog.getByRole('textbox', { name: 'Path of the bundle' }).fill(path);
  await dialog.getByRole('button', { name: 'Read' }).click();
  await dialog.getByLabel(startingWith('Key')).fill('k-123');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sightglass.server('weather')).toBeVisible();
  await sightglass.run('Remove unused bundles');
  const unused = sightglass.dialog('Remove unused bundles');
  await expect(unused).toContainText('Every unpacked bundle is used');
  await unused.getByRole('button', { name: 'Close' }).last().click();

  await page.keyboard.press('Control+z');
  await expect(sightglass.server('weather')).toHaveCount(0);
  await sightglass.run('Remove unused bundles');
  await expect(unused.getByRole('list', { name: 'Unused bundles' })).toContainText('weather');
  await unused.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Removed 1 bundle.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await sightglass.run('Remove unused bundles');
  await expect(unused.getByRole('list', { name: 'Unused bundles' })).toContainText('weather');
});
