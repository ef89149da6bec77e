import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, type Sightglass, startingWith, test } from './support/sightglass';

/** Each screen that the window has, and how a person gets there. */
const SCREENS: Record<string, (sightglass: Sightglass) => Promise<void>> = {
  'the welcome': async (sightglass) => {
    await sightglass.open('welcome');
    await expect(sightglass.server('Demo')).toBeVisible();
  },
  'the guide, searched': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.page.keyboard.press('F1');
    const guide = sightglass.dialog('Guide');
    await guide.getByRole('searchbox', { name: 'Search the guide' }).fill('token');
    await expect(guide.getByRole('option').first()).toBeVisible();
  },
  'the welcome with the servers of other clients': async (sightglass) => {
    await sightglass.open('found');
    const found = sightglass.page.getByRole('region', { name: /^2 servers of your other clients/ });
    await expect(found).toContainText('Cursor, Gemini CLI');
  },
  'the servers of eight clients': async (sightglass) => {
    await sightglass.open('clients');
    await sightglass.select('search');
    await expect(sightglass.page.getByRole('textbox', { name: 'api-key' })).toBeVisible();
    // One group is collapsed.
    await sightglass.page.getByText('This project', { exact: true }).click();
  },
  'servers by client, with switches': async (sightglass) => {
    await sightglass.open('clients');
    await sightglass.run('Switch servers on in clients');
    await expect(sightglass.page.getByRole('switch', { name: 'notes in Zed' })).toBeVisible();
  },
  'one definition written to several clients': async (sightglass) => {
    await sightglass.open('clients');
    await sightglass.run('Switch servers on in clients');
    await sightglass.page.getByRole('button', { name: 'Copy notes to other clients' }).click();
    await sightglass.dialog('Copy notes to other clients').getByText('VS Code').first().click();
  },
  'a variable that is not set': async (sightglass) => {
    await sightglass.open('obstacles');
    await sightglass.select('unset');
    await expect(
      sightglass.page.getByRole('textbox', { name: 'SIGHTGLASS_TEST_KEY' }),
    ).toBeVisible();
  },
  'a server that works, with what others trip over': async (sightglass) => {
    await sightglass.open('obstacles');
    await sightglass.select('noisy');
    await expect(sightglass.page.getByRole('region', { name: /^Works/ })).toBeVisible();
  },
  'an export of traffic, with what is masked': async (sightglass) => {
    await sightglass.open();
    await sightglass.run('Export traffic');
    const dialog = sightglass.dialog('Export traffic');
    await expect(dialog.getByRole('region', { name: 'Beginning of the file' })).toBeVisible();
    await dialog.getByRole('button', { name: /^NDJSON/ }).click();
    await sightglass.page.getByRole('option', { name: /^OTLP/ }).click();
    await expect(dialog.getByRole('textbox', { name: 'Address of the collector' })).toBeVisible();
  },
  'an operation with its tree, and the causes of a message': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('long_running');
    await sightglass.runButton.click();
    await expect(sightglass.result).toContainText('Done in');
    await sightglass.showTraffic('Calls');
    await sightglass.operationRow('long_running').locator('[data-fold]').click();
    await sightglass.operationRow('notifications/progress').first().click();
    await sightglass.trafficDetail.getByRole('tab', { name: /^Related/ }).click();
    await expect(sightglass.trafficDetail).toContainText('progress of');
  },
  'the overview of a server that is ready': async (sightglass) => {
    await sightglass.open();
    await sightglass.select('filesystem');
    await sightglass.show('Overview');
    await expect(sightglass.phase).toHaveText('Ready');
  },
  'the overview of a server that failed': async (sightglass) => {
    await sightglass.open();
    await sightglass.select('github');
    await sightglass.show('Overview');
    await expect(sightglass.phase).toHaveText(/^Failed/);
  },
  'the overview of a server that wants a sign-in': async (sightglass) => {
    await sightglass.open();
    await sightglass.select('linear');
    await sightglass.show('Overview');
    await expect(sightglass.phase).toHaveText(/^Failed/);
  },
  'a connection that comes back': async (sightglass) => {
    await sightglass.open('connections');
    await sightglass.select('lost');
    await expect(sightglass.page.getByRole('region', { name: 'Reconnecting' })).toBeVisible();
  },
  'a slow start': async (sightglass) => {
    await sightglass.open('connections');
    await sightglass.select('cold');
    await expect(sightglass.page.getByRole('region', { name: 'From stderr' })).toBeVisible();
  },
  'the ways to connect that were tried': async (sightglass) => {
    await sightglass.open('connections');
    await sightglass.select('older');
    await sightglass.showConnection();
    await expect(sightglass.page.getByRole('region', { name: 'Ways tried' })).toBeVisible();
  },
  'a server with an icon, examined by the doctor': async (sightglass) => {
    await sightglass.open('connections');
    await sightglass.select('rich');
    await expect(await sightglass.examine()).toContainText('All checks passed.');
  },
  'a server that is still connecting': async (sightglass) => {
    await sightglass.open();
    await sightglass.select('postgres');
    await sightglass.show('Tools');
    await expect(sightglass.phase).toHaveText(/Listing tools/);
  },
  'the list of tools': async (sightglass) => {
    await sightglass.open();
    await sightglass.select('filesystem');
    await sightglass.show('Tools');
    await expect(sightglass.toolList.getByRole('option').first()).toBeVisible();
  },
  'a tool with its form and a result': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.tool('echo').click();
    await sightglass.page
      .getByRole('textbox', { name: /message/i })
      .first()
      .fill('Hello');
    await sightglass.runButton.click();
    await expect(sightglass.result).toContainText('Hello');
  },
  'the arguments of a tool as JSON': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.tool('echo').click();
    await sightglass.page.getByRole('radio', { name: 'JSON' }).first().click();
    await expect(sightglass.page.locator('.cm-content').first()).toBeVisible();
  },
  resources: async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Resources');
    const list = sightglass.page.getByRole('listbox', { name: 'Resources' });
    await list.getByRole('option').first().click();
  },
  skills: async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Skills');
    await sightglass.page.getByRole('option', { name: 'wrong-digest' }).click();
    await sightglass.page.getByRole('button', { name: 'Verify all files' }).click();
    await expect(sightglass.page.getByText('Failed: a client must not load it')).toBeVisible();
  },
  'checks of conformance': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    const conformance = await sightglass.showCheck('Conformance');
    await conformance.getByRole('button', { name: 'Run checks' }).click();
    const status = conformance.getByRole('status');
    await expect(status).toContainText(/passed in/, { timeout: 60_000 });
  },
  'a load run': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.showCheck('Load');
    await sightglass.page.getByRole('button', { name: /Tool$/ }).click();
    await sightglass.page.getByRole('option', { name: 'sleep' }).click();
    await sightglass.page.getByRole('textbox', { name: 'Arguments' }).fill('{"ms":1}');
    await sightglass.page.getByRole('textbox', { name: 'Duration in seconds' }).fill('1');
    await sightglass.page.getByRole('button', { name: 'Start', exact: true }).click();
    const histogram = sightglass.page.getByRole('table', { name: 'Histogram of response times' });
    await expect(histogram).toBeVisible({ timeout: 60_000 });
  },
  prompts: async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Prompts');
    const list = sightglass.page.getByRole('listbox', { name: 'Prompts' });
    await list.getByRole('option').first().click();
  },
  'a question in the result of its call': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('ask_elicitation');
    await sightglass.page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(sightglass.result).toContainText('Waiting for you');
    await expect(sightglass.result.getByRole('button', { name: /^Accept/ })).toBeVisible();
  },
  'the bar of a question': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('ask_elicitation');
    await sightglass.page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(sightglass.result).toContainText('Waiting for you');
    await sightglass.show('Overview');
    await expect(sightglass.page.getByText('Demo asks for input')).toBeVisible();
  },
  'two compared runs': async (sightglass) => {
    const { page, result } = sightglass;
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('echo');
    for (const text of ['first', 'second']) {
      await page.getByRole('textbox', { name: /Message/ }).fill(text);
      await page.keyboard.press('Control+Enter');
      await expect(result.getByText(text)).toBeVisible();
    }
    await result.getByRole('button', { name: 'History' }).click();
    await page.getByRole('menuitem', { name: 'Compare two calls' }).click();
    await expect(page.getByRole('region', { name: 'Compared calls' })).toContainText('/message');
  },
  'a search in a result': async (sightglass) => {
    const { result } = sightglass;
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('result_structured');
    await sightglass.page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(result).toContainText('Done in');
    await sightglass.chooseOfResult('Search in this result');
    await result.getByRole('searchbox').fill('temp');
    await expect(result.getByText('1 of 3')).toBeVisible();
  },
  'a form with a union and a constant': async (sightglass) => {
    const { page } = sightglass;
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('schema_unions');
    await page.getByRole('button', { name: /Kind of Shape/ }).click();
    await page.getByRole('option', { name: /^Circle/ }).click();
    await page.getByRole('button', { name: /are missing/ }).click();
  },
  'the tests of a project': async (sightglass) => {
    const { page } = sightglass;
    await sightglass.open('welcome');
    await sightglass.writeFile(
      'project/.sightglass/requests/math/add.toml',
      `format = 1\ntags = ["smoke"]\nserver = "demo"\nmethod = "tools/call"\nparams = '''{"name":"add","arguments":{"a":1,"b":2}}'''\n[[expect]]\nvalue = "structured"\nis = "snapshot"\n[[expect]]\nvalue = "structured"\nis = "equals"\nto = { sum = 4 }\n`,
    );
    await sightglass.writeFile('project/.sightglass/requests/broken.toml', 'format = 1\n');
    await page.getByRole('button', { name: /^Tests/ }).click();
    // The files come one after another, and a row that comes moves those below it.
    await expect(page.getByRole('option', { name: /^broken/ })).toBeVisible();
    await expect(page.getByRole('option', { name: /^add/ })).toBeVisible();
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('option', { name: 'add, failed' }).click();
    await expect(page.getByRole('tree', { name: 'Answer' })).toBeVisible();
  },
  'a project without tests': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.page.getByRole('button', { name: /^Tests/ }).click();
    await expect(sightglass.page.getByText('No tests yet')).toBeVisible();
  },
  'the approval of tests': async (sightglass) => {
    const { page } = sightglass;
    await sightglass.open('welcome');
    await sightglass.writeFile(
      'project/.sightglass/requests/theirs.toml',
      'format = 1\nmethod = "tools/list"\n[server]\ncommand = "sh"\nargs = ["-c", "exit 3"]\n',
    );
    await page.getByRole('button', { name: /^Tests/ }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await expect(page.getByRole('dialog')).toContainText('exit 3');
  },
  'the questions of a server': async (sightglass) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await sightglass.findTool('ask_elicitation');
    await sightglass.page.getByRole('button', { name: 'Run', exact: true }).click();
    await sightglass.settings('Answers and folders');
    await expect(sightglass.page.getByRole('button', { name: /^Accept/ })).toBeVisible();
  },
  'a server that wants a sign-in': (sightglass) => showAuth(sightglass, 'linear', 'Account'),
  'a server that a person is signed in to': (sightglass) =>
    showAuth(sightglass, 'notion', 'Account'),
  'a sign-in that waits for the browser': async (sightglass) => {
    await showAuth(sightglass, 'figma', 'Account');
    await sightglass.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(sightglass.page.getByText(/It opened/)).toBeVisible();
  },
  'a sign-in that waits for the keychain': async (sightglass) => {
    await sightglass.lockKeychain();
    await showAuth(sightglass, 'sentry', 'Account');
    await sightglass.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(sightglass.page.getByText(/Unlock it in the window/)).toBeVisible();
  },
  'the steps of a sign-in that failed': async (sightglass) => {
    await showAuth(sightglass, 'jira', 'Steps');
    await expect(sightglass.page.getByRole('grid', { name: 'Addresses tried' })).toBeVisible();
  },
  'a response of a sign-in': async (sightglass) => {
    await showAuth(sightglass, 'jira', 'Steps');
    await sightglass.page.getByRole('tab', { name: 'Response' }).first().click();
  },
  'a sign-in that is paused': async (sightglass) => {
    await showAuth(sightglass, 'linear', 'Steps');
    await sightglass.page.getByRole('button', { name: 'Sign in step by step' }).click();
    await expect(sightglass.page.getByText('Paused before challenge').first()).toBeVisible();
    await sightglass.page.keyboard.press('F10');
    await expect(sightglass.page.getByRole('textbox', { name: 'Headers' })).toBeVisible();
  },
  'a token and how the servers took it': async (sightglass) => {
    await showAuth(sightglass, 'notion', 'Token');
    await sightglass.page.getByRole('button', { name: 'Corrupt it' }).click();
    const reaction = sightglass.page.getByRole('article', { name: 'Corrupt it' });
    await reaction.getByRole('row').first().click();
  },
  'what is set for signing in': (sightglass) => showAuth(sightglass, 'linear', 'Client'),
  'a parameter that a sign-in cannot add': async (sightglass) => {
    await showAuth(sightglass, 'linear', 'Client');
    await addParameter(sightglass, 'state', 'guessed');
    await sightglass.page.getByText('Send the resource parameter').click();
    await expect(sightglass.page.getByText('state is reserved')).toBeVisible();
  },
  'an enterprise-managed sign-in': async (sightglass) => {
    await showAuth(sightglass, 'linear', 'Client');
    await chooseEnterprise(sightglass);
    await expect(sightglass.page.getByText('Enter the issuer.')).toBeVisible();
  },
  'the menu of a server': async (sightglass) => {
    await sightglass.open('signin');
    await sightglass.server('linear').click({ button: 'right' });
    await expect(sightglass.page.getByRole('menuitem', { name: 'Sign in' })).toBeVisible();
  },
  'the results of two identities': async (sightglass) => {
    await sightglass.open('signin');
    await sightglass.select('notion');
    await sightglass.show('Tools');
    await sightglass.page.getByRole('button', { name: 'Compare accounts' }).click();
    await sightglass.page.getByRole('menuitem').first().click();
    await expect(sightglass.page.getByText(/get (the same|different results)/)).toBeVisible();
  },
  'the configuration of a server': async (sightglass) => {
    await sightglass.open();
    await sightglass.select('filesystem');
    await sightglass.settings('Definition');
  },
  'a broken configuration file': async (sightglass) => {
    await sightglass.open('broken');
  },
  'the dialog that adds a server': async (sightglass) => {
    await sightglass.open();
    await sightglass.page.getByRole('button', { name: 'Add server' }).first().click();
    await expect(sightglass.page.getByRole('dialog', { name: 'Add server' })).toBeVisible();
  },
  'a pasted server and what it asks for': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Paste or type');
    await dialog
      .getByRole('textbox', { name: 'Paste anything' })
      .fill('docker run -i --rm -e TRACKER_TOKEN acme/tracker-mcp ~/Documents');
    await expect(dialog).toContainText('${TRACKER_TOKEN} has no value here');
  },
  'Setup without a file that can be read': async (sightglass) => {
    await sightglass.open('broken');
    await sightglass.page.keyboard.press('Control+0');
    await expect(sightglass.page.getByText('cannot be read').first()).toBeVisible();
  },
  'the registry in the dialog that adds a server': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Registry');
    await expect(dialog.getByRole('option').first()).toBeVisible();
  },
  'a server of the registry and what it asks for': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Registry');
    await dialog.getByRole('option', { name: 'Weather' }).click();
    await expect(dialog.getByText('Values it needs')).toBeVisible();
  },
  'a registry that cannot be reached': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
    await sightglass.cut('registry');
    await dialog.getByRole('radio', { name: 'Registry' }).click();
    await expect(dialog.getByText('The registry cannot be reached')).toBeVisible();
  },
  'servers of the local network': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Local network');
    await sightglass.announce('Notes', 'ada.local.', 8080, '/mcp');
    await dialog.getByRole('button', { name: 'Look on the local network' }).click();
    await dialog.getByText('ada.local:8080/mcp').click();
    await expect(dialog.getByText('All fields')).toBeVisible();
  },
  'a bundle of the registry': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Registry');
    await dialog.getByRole('option', { name: 'Maps' }).click();
    await dialog.getByText('The MCPB bundle').click();
    await expect(dialog.getByRole('button', { name: 'Download and read' })).toBeVisible();
  },
  'the manifest of a bundle': async (sightglass) => {
    const dialog = await openAdd(sightglass, 'Bundle (.mcpb)');
    await dialog.getByRole('button', { name: 'Choose a bundle…' }).click();
    await dialog.getByText('Manifest', { exact: true }).click();
  },
  'the configuration of all servers': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.selectConfig('github');
    await expect(sightglass.explanation('github')).toContainText('Priority: local > project');
  },
  'a server that waits for approval': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.selectConfig('deploy');
    await expect(
      sightglass.page.getByRole('button', { name: 'Approve', exact: true }),
    ).toBeVisible();
  },
  'a configuration file and its backups': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.files
      .getByRole('columnheader', { name: startingWith('Project') })
      .first()
      .click();
    await expect(sightglass.page.getByRole('article', { name: 'Project' })).toBeVisible();
  },
  'the matrix of servers and clients': async (sightglass) => {
    await sightglass.openSetup();
    await sightglass.matrix.getByRole('button', { name: 'postgres', exact: true }).click();
    await expect(sightglass.page.getByText('Use Sightglass’s in Claude Code')).toBeVisible();
  },
  'the editor of a server': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.selectConfig('github');
    await sightglass.page.keyboard.press('Enter');
    await expect(sightglass.page.locator('.cm-content')).toContainText('server-github');
  },
  'a move with its difference': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.selectConfig('time');
    await sightglass.page
      .getByRole('button', { name: 'Use the one in ~/.claude/.mcp.json instead' })
      .click();
    const dialog = sightglass.dialog('Move time');
    await dialog.getByRole('radio', { name: 'Replace it' }).click();
    await expect(dialog.getByRole('region').first()).toBeVisible();
  },
  'the import from other clients': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.page.getByRole('button', { name: 'Import…' }).click();
    await expect(sightglass.dialog('Import from other clients')).toContainText('figma');
  },
  'an export': async (sightglass) => {
    await sightglass.openFiles();
    await sightglass.selectConfig('github');
    await sightglass.page.keyboard.press('x');
    await expect(sightglass.dialog('Export github')).toContainText('server-github');
  },
  'the settings': async (sightglass) => {
    await sightglass.open();
    await sightglass.page.getByRole('button', { name: 'Settings' }).first().click();
    await expect(sightglass.page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  },
  'the connection settings of a server': async (sightglass) => {
    await sightglass.open('clients');
    await sightglass.select('linear');
    await sightglass.run('Connection settings');
    const form = sightglass.page.getByRole('form', { name: 'Connection settings of linear' });
    await expect(form).toContainText('mTLS');
  },
  'the command palette': async (sightglass) => {
    await sightglass.open();
    await sightglass.page.keyboard.press('Control+k');
    await expect(sightglass.page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
    await sightglass.page.keyboard.type('traffic');
  },
  'the shortcut sheet': async (sightglass) => {
    await sightglass.open();
    await sightglass.server('filesystem').focus();
    await sightglass.page.keyboard.press('?');
    await expect(sightglass.page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  },
  'traffic with a detail': async (sightglass) => {
    await sightglass.open();
    await sightglass.trafficRow('search_files').click();
    await expect(sightglass.trafficDetail.getByRole('tab', { name: 'Preview' })).toBeVisible();
    await expect(sightglass.trafficDetail).toContainText('content');
  },
  'the HTTP headers of a message': async (sightglass) => {
    await sightglass.open();
    await sightglass.trafficFilter.fill('server:linear');
    await sightglass.trafficRow('POST /mcp').first().click();
    await sightglass.trafficDetail.getByRole('tab', { name: 'HTTP' }).click();
    await expect(sightglass.trafficDetail).toContainText('www-authenticate');
  },
  'the help of the traffic filter': async (sightglass) => {
    await sightglass.open();
    // The button is there for whoever is about to write a filter.
    await sightglass.trafficFilter.focus();
    await sightglass.page.getByRole('button', { name: 'Filter terms' }).click();
    await expect(sightglass.page.getByRole('dialog', { name: 'Filter terms' })).toBeVisible();
  },
  'traffic in which nothing matches': async (sightglass) => {
    await sightglass.open();
    await sightglass.trafficFilter.fill('there is no such message');
    await expect(sightglass.page.getByText('Nothing matches')).toBeVisible();
  },
  'a recording that is off': async (sightglass) => {
    await sightglass.script((_command, answer) => {
      const text = JSON.stringify(answer) ?? 'null';
      const isState = (value: unknown): value is object =>
        typeof value === 'object' && value !== null && 'off' in value && 'dropped' in value;
      return JSON.parse(text, (_key, value) =>
        isState(value) ? { ...value, dropped: 128, off: 'The disk is full.' } : value,
      );
    });
    await sightglass.open();
    await expect(sightglass.page.getByText(/Recording is off/).first()).toBeVisible();
  },
};

async function openAdd(sightglass: Sightglass, origin: string): Promise<Locator> {
  await sightglass.open();
  await sightglass.page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = sightglass.dialog('Add server');
  await dialog.getByRole('radio', { name: origin }).click();
  return dialog;
}

async function addParameter(sightglass: Sightglass, name: string, value: string): Promise<void> {
  const { page } = sightglass;
  await page.getByRole('button', { name: 'Add parameter' }).click();
  await page.getByRole('textbox', { name: 'Name of parameter 1' }).fill(name);
  await page.getByRole('textbox', { name: 'Value of parameter 1' }).fill(value);
}

async function chooseEnterprise(sightglass: Sightglass): Promise<void> {
  const { page } = sightglass;
  await page.getByRole('button', { name: /Way$/ }).click();
  await page.getByRole('option', { name: /^Enterprise-managed/ }).click();
}

async function showAuth(sightglass: Sightglass, server: string, page: string): Promise<void> {
  await sightglass.open('signin');
  await sightglass.select(server);
  await sightglass.settings('Sign-in');
  await sightglass.page.getByRole('radio', { name: page, exact: true }).click();
}

const THEMES = ['light', 'dark'] as const;

for (const [name, goThere] of Object.entries(SCREENS)) {
  test(`axe finds no violation on ${name}, light or dark`, async ({ sightglass }) => {
    await goThere(sightglass);
    await expectNoViolation(sightglass.page);
  });
}

test('axe finds no violation in a small window, light or dark', async ({ sightglass }) => {
  await sightglass.page.setViewportSize({ width: 720, height: 480 });
  await sightglass.open();
  await sightglass.select('filesystem');
  await sightglass.show('Tools');
  await expectNoViolation(sightglass.page);
});

test('axe finds no violation in the configuration in a small window', async ({ sightglass }) => {
  await sightglass.page.setViewportSize({ width: 720, height: 480 });
  await sightglass.openSetup();
  await expectNoViolation(sightglass.page);
  await sightglass.openClient('Sightglass');
  await expectNoViolation(sightglass.page);
  await sightglass.configRow('github').getByRole('rowheader').click();
  await expect(sightglass.explanation('github')).toBeVisible();
  await expectNoViolation(sightglass.page);
});

test('axe finds no violation on the steps of a sign-in in a small window, light or dark', async ({
  sightglass,
}) => {
  await sightglass.page.setViewportSize({ width: 720, height: 480 });
  await showAuth(sightglass, 'jira', 'Steps');
  await expectNoViolation(sightglass.page);
});

/** Names each violation with the elements that have it, so that a failure says what to mend. */
async function expectNoViolation(page: Page): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    // Legacy: without a second page, which only gathers what several frames found.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes
        // The line between two landmarks is in neither.
        .filter((node) => id !== 'region' || !node.html.includes('role="separator"'))
        .map((node) => `${id}: ${help}: ${node.html}\n${node.failureSummary}`),
    );
    expect(found, colorScheme).toEqual([]);
  }
}
