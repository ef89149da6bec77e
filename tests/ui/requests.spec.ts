import { expect, test } from './support/sightglass';

const FOLDER = 'project/.sightglass/requests';

test('a call is saved as a file, run, and expected to stay as it is', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('add');
  await page.getByRole('textbox', { name: /^a\b/i }).fill('1');
  await page.getByRole('textbox', { name: /^b\b/i }).fill('2');
  await result.getByRole('button', { name: 'History' }).click();
  await page.getByRole('menuitem', { name: 'Save as test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as test' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Adds two numbers');
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('math');
  await dialog.getByRole('button', { name: 'Save test' }).click();
  await page.getByRole('button', { name: 'Open' }).click();
  expect(await sightglass.readFile(`${FOLDER}/math/adds-two-numbers.toml`)).toContain(
    'server = "Demo"',
  );

  const tree = page.getByRole('listbox', { name: 'Tests of this project' });
  const row = tree.getByRole('option', { name: /^Adds two numbers/ });
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(row).toHaveAccessibleName('Adds two numbers, not run');
  const detail = page.getByRole('region', { name: 'Adds two numbers' });
  await detail.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(row).toHaveAccessibleName('Adds two numbers, passed');

  // A value of the answer becomes an expectation by a click on it.
  const answer = detail.getByRole('tree', { name: 'Answer' });
  await answer.getByRole('treeitem', { name: /"sum"/ }).click();
  await answer.getByRole('button', { name: 'Expect' }).click();
  await page.getByRole('menuitem', { name: /^Equals 3/ }).click();
  await expect(detail.getByText('$.structuredContent.sum equals')).toBeVisible();
  const saved = await sightglass.readFile(`${FOLDER}/math/adds-two-numbers.toml`);
  expect(saved).toContain('value = "$.structuredContent.sum"');

  // The file is the truth: another program changes it.
  await sightglass.writeFile(
    `${FOLDER}/math/adds-two-numbers.toml`,
    `# Ours.\n${saved.replace(/to = [\d.]+\s*$/, 'to = 12345\n')}`,
  );
  await expect(detail.getByText('$.structuredContent.sum equals 12345')).toBeVisible();
  await detail.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(row).toHaveAccessibleName('Adds two numbers, failed');
  await expect(detail.getByText('actual')).toBeVisible();

  // The operation behind it is one click away.
  await detail.getByRole('button', { name: 'Show the call' }).click();
  await expect(page.getByRole('row', { name: /tools\/call add/ }).first()).toBeVisible();
  await expect(result).toBeHidden();
});

test('a value of a result is expected by a click on it, in a new test and then in the same', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('add');
  await page.getByRole('textbox', { name: /^a\b/i }).fill('1');
  await page.getByRole('textbox', { name: /^b\b/i }).fill('2');
  await page.keyboard.press('Control+Enter');
  const content = result.getByRole('tree', { name: 'Structured content' });
  await content.getByRole('treeitem', { name: /"sum"/ }).click();
  await content.getByRole('button', { name: 'Expect' }).click();
  await page.getByRole('menuitem', { name: /^Equals 3/ }).click();
  const dialog = sightglass.dialog('Save as test');
  await expect(dialog).toContainText('$.structuredContent.sum');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Adds');
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(dialog).toHaveCount(0);

  await content.getByRole('treeitem', { name: /"sum"/ }).hover();
  await content.getByRole('button', { name: 'Expect' }).click();
  await page.getByRole('menuitem', { name: 'Has the type number' }).click();
  await expect(dialog.getByRole('button', { name: /Adds/ })).toBeVisible();
  await sightglass.confirm();
  await expect(dialog).toHaveCount(0);
  const saved = await sightglass.readFile(`${FOLDER}/adds.toml`);
  expect(saved.match(/value = "\$\.structuredContent\.sum"/g)).toHaveLength(2);
});

test('prompts and resources are saved too, and every tool gets a request', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Prompts');
  await page.getByRole('option', { name: /^simple/ }).click();
  await sightglass.chooseOfResult('Save as test…');
  const dialog = sightglass.dialog('Save as test');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('A prompt');
  await dialog.getByRole('button', { name: 'Save test' }).click();
  await expect(page.getByRole('button', { name: 'Open' })).toBeVisible();
  expect(await sightglass.readFile(`${FOLDER}/a-prompt.toml`)).toContain('method = "prompts/get"');

  const sidebar = page.getByRole('navigation', { name: 'Servers' });
  await sidebar.getByRole('button', { name: /^Tests/ }).click();
  await page.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitem', { name: 'Write a test for each tool of Demo' }).click();
  const tree = page.getByRole('listbox', { name: 'Tests of this project' });
  await expect(tree.getByRole('option', { name: /^demo, \d\d/ })).toBeVisible();

  // The keyboard reaches what can be expected too.
  await page.getByRole('searchbox', { name: 'Search tests' }).fill('add');
  await tree.getByRole('option', { name: /^add,/ }).click();
  const detail = page.getByRole('region', { name: 'add', exact: true });
  await detail.getByRole('button', { name: 'Run', exact: true }).click();
  const answer = detail.getByRole('tree', { name: 'Answer' });
  await answer.getByRole('treeitem', { name: /"sum"/ }).click();
  await answer.press('e');
  await page.getByRole('menuitem', { name: 'Has the type number' }).click();
  await expect(detail.getByText('$.structuredContent.sum type "number"')).toBeVisible();
});

test('a request is written out of nothing', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.run('New test');
  const dialog = sightglass.dialog('New test');
  await dialog.getByRole('textbox', { name: 'Tool' }).fill('result_text');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('result_text');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const detail = page.getByRole('region', { name: 'result_text', exact: true });
  await expect(detail.getByText('not run')).toBeVisible();
  const file = `${FOLDER}/result_text.toml`;
  const written = await sightglass.readFile(file);
  expect(written).toContain('server = "Demo"');
  expect(written).toContain('"name": "result_text"');
  await sightglass.writeFile(
    file,
    `${written}\n[[expect]]\nvalue = "tokens"\nis = "at_most"\nto = 1000\n`,
  );
  await expect(detail.getByText('tokens at_most 1000')).toBeVisible();
  await detail.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(detail.getByText('passed').first()).toBeVisible();
});

test('requests run together, against an environment, and by their tag', async ({ sightglass }) => {
  const { page } = sightglass;
  const request = (tool: string, input: string, rest: string) =>
    `format = 1\nserver = "demo"\nmethod = "tools/call"\nparams = '''{"name":"${tool}","arguments":${input}}'''\n${rest}`;
  await sightglass.open('welcome');
  await sightglass.writeFile('project/.sightglass/environments/dev.toml', 'greeting = "hello"\n');
  await sightglass.writeFile(
    `${FOLDER}/echo.toml`,
    request(
      'echo',
      '{"message":"{{greeting}}"}',
      'tags = ["smoke"]\n[[expect]]\nvalue = "text"\nis = "equals"\nto = "hello"\n',
    ),
  );
  await sightglass.writeFile(`${FOLDER}/math/add.toml`, request('add', '{"a":1,"b":2}', ''));
  await sightglass.writeFile(`${FOLDER}/math/wrong.toml`, request('result_error', '{}', ''));
  await sightglass.writeFile(`${FOLDER}/broken.toml`, 'format = 1\nserver = "demo"\n');
  await page.getByRole('button', { name: /^Tests/ }).click();
  const tree = page.getByRole('listbox', { name: 'Tests of this project' });
  const row = (name: string) => tree.getByRole('option', { name: new RegExp(`^${name}`) });
  await expect(row('wrong')).toBeVisible();
  await page.getByRole('button', { name: /Environment/ }).click();
  await page.getByRole('option', { name: 'dev' }).click();
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(row('echo')).toHaveAccessibleName('echo, passed');
  await expect(row('add')).toHaveAccessibleName('add, passed');
  await expect(row('wrong')).toHaveAccessibleName('wrong, failed');
  await expect(row('broken')).toHaveAccessibleName('broken, not judged');
  await expect(page.getByRole('status').filter({ hasText: '2 passed' })).toContainText('1 failed');
  const sidebar = page.getByRole('navigation', { name: 'Servers' });
  await expect(sidebar.getByRole('button', { name: /^Tests/ })).toContainText('2 ✕');

  await page.getByRole('searchbox', { name: 'Search tests' }).fill('add');
  await expect(row('echo')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Run 1', exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search tests' }).fill('');
  await page.getByRole('button', { name: /Tag/ }).click();
  await page.getByRole('option', { name: 'smoke' }).click();
  await expect(row('add')).toBeHidden();
});

test('what requests bring along is shown and approved before it starts', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile(
    `${FOLDER}/theirs.toml`,
    'format = 1\nmethod = "tools/list"\n[server]\nname = "theirs"\ncommand = "sh"\nargs = ["-c", "exit 3"]\n',
  );
  await page.getByRole('button', { name: /^Tests/ }).click();
  await page.getByRole('button', { name: 'Run all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve what these tests do' });
  await expect(dialog).toContainText('exit 3');
  await expect(dialog).toContainText('theirs.toml');
  await dialog.getByRole('button', { name: 'Run only the others' }).click();
  const row = page.getByRole('option', { name: /^theirs/ });
  await expect(row).toHaveAccessibleName('theirs, not judged');
  await row.click();
  await expect(page.getByText('It is not approved to start or reach theirs yet.')).toBeVisible();
});

test('requests are moved by dragging, renamed and deleted', async ({ sightglass }) => {
  const { page } = sightglass;
  const text = 'format = 1\nserver = "demo"\nmethod = "tools/list"\n';
  await sightglass.open('welcome');
  await sightglass.writeFile(`${FOLDER}/alone.toml`, text);
  await sightglass.writeFile(`${FOLDER}/group/first.toml`, text);
  await page.getByRole('button', { name: /^Tests/ }).click();
  const tree = page.getByRole('listbox', { name: 'Tests of this project' });
  const row = (name: string) => tree.getByRole('option', { name: new RegExp(`^${name}`) });
  await row('alone').locator('[draggable]').dragTo(row('group').locator('[data-folder]'));
  await expect(row('group')).toHaveAccessibleName('group, 2');
  expect(await sightglass.readFile(`${FOLDER}/group/alone.toml`)).toBe(text);

  const detail = page.getByRole('region', { name: 'alone' });
  await detail.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await sightglass.dialog('Rename').getByRole('textbox', { name: 'Name' }).fill('Not alone');
  await sightglass.dialog('Rename').getByRole('button', { name: 'Rename' }).click();
  await expect(row('Not alone')).toBeVisible();
  await page
    .getByRole('region', { name: 'Not alone' })
    .getByRole('button', { name: 'More' })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await sightglass.dialog('Delete Not alone?').getByRole('button', { name: 'Delete' }).click();
  await expect(row('Not alone')).toBeHidden();
  await row('group').click();
  await page.getByRole('button', { name: 'Run 1', exact: true }).click();
  await row('group').click();
  await expect(row('first')).toHaveAccessibleName('first, passed');
  await row('group').press('ArrowLeft');
  await expect(row('first')).toBeHidden();
});

test('a folder is renamed, and dragged into another', async ({ sightglass }) => {
  const { page } = sightglass;
  const text = 'format = 1\nserver = "demo"\nmethod = "tools/list"\n';
  await sightglass.open('welcome');
  await sightglass.writeFile(`${FOLDER}/group/first.toml`, text);
  await sightglass.writeFile(`${FOLDER}/other/second.toml`, text);
  await page.getByRole('button', { name: /^Tests/ }).click();
  const tree = page.getByRole('listbox', { name: 'Tests of this project' });
  const row = (name: string) => tree.getByRole('option', { name: new RegExp(`^${name}`) });
  await expect(row('second')).toBeVisible();
  await row('group').click();
  await page.getByRole('button', { name: 'Rename folder' }).click();
  const dialog = sightglass.dialog('Rename folder');
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('other');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('There is a folder other already.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('named');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(row('named')).toBeVisible();
  expect(await sightglass.readFile(`${FOLDER}/named/first.toml`)).toBe(text);

  await row('named').locator('[draggable]').dragTo(row('other').locator('[data-folder]'));
  await expect(row('other')).toHaveAccessibleName('other, 2');
  expect(await sightglass.readFile(`${FOLDER}/other/named/first.toml`)).toBe(text);
});

test('a server is started anew when its source changes', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile('project/server/main.py', 'print()');
  await sightglass.connect('Demo');
  await sightglass.run('Restart on change');
  const dialog = sightglass.dialog('Restart on change');
  await dialog.getByRole('textbox', { name: 'Source of the server' }).fill('server');
  await dialog.getByRole('button', { name: 'Watch' }).click();
  const note = page.getByRole('status').filter({ hasText: 'Restarts when' });
  await expect(note).toBeVisible();
  const ends = page.getByRole('row', { name: /The process exited/ });
  await expect(ends).toHaveCount(0);
  await sightglass.writeFile('project/server/main.py', 'print(1)');
  await expect(ends).toHaveCount(1);
  await note.getByRole('button', { name: 'Stop watching' }).click();
  await expect(note).toHaveCount(0);
});

test('with several servers, all that can be done without requests is seen', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open();
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Tests/ })
    .click();
  const actions = page.getByRole('main').getByRole('button', { name: /^Write a test for each/ });
  await expect.poll(() => actions.count()).toBeGreaterThan(1);
  for (const action of await actions.all()) await expect(action).toBeInViewport({ ratio: 1 });
});
