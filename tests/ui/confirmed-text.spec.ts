import type { Locator } from '@playwright/test';
import { expect, type Sightglass, startingWith, test } from './support/sightglass';

/** Characters that have no look of their own, or turn the text around them. */
const HIDDEN = '\u00ad\u115f\u200b\u202e\u2066\u2800\u3164\ufe0f\u{e0041}';
const ESCAPED = '\\u{ad}\\u{115f}\\u{200b}\\u{202e}\\u{2066}\\u{2800}\\u{3164}\\u{fe0f}\\u{e0041}';

/** A command whose end is 400 spaces away from its beginning. */
const COMMAND = `echo hello${' '.repeat(400)}; touch mark # ${HIDDEN}`;
const SHOWN = `echo hello␣×400; touch mark # ${ESCAPED}`;

const ENTRY = { command: 'sh', args: ['-c', COMMAND] };

const SIZES = [
  { width: 720, height: 480 },
  { width: 1440, height: 900 },
];

function fileOf(servers: Record<string, unknown>): string {
  return JSON.stringify({ mcpServers: servers }, null, 2);
}

/** Nothing of a region runs out of sight to the side, and no character of it is hidden. */
async function isSeenWhole(region: Locator): Promise<void> {
  await expect(region).toContainText(SHOWN);
  await isWithoutHidden(region);
  const wide = await region.evaluate((node) =>
    [node, ...node.querySelectorAll('*')]
      .filter((one) => one instanceof HTMLElement && !(one instanceof HTMLInputElement))
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
      .filter((one) => getComputedStyle(one).overflowX !== 'visible')
      .map((one) => `${one.tagName}.${one.className}`),
  );
  expect(wide).toEqual([]);
}

/** The text has no hidden character. What stands in a field is not text: it has its remark. */
async function isWithoutHidden(region: Locator): Promise<void> {
  const text = (await region.textContent()) ?? '';
  expect([...HIDDEN].filter((character) => text.includes(character))).toEqual([]);
}

/** Both ends of the command are within the width of the window, one below the other. */
async function bothEndsAreSeen(region: Locator): Promise<void> {
  const box = await region
    .locator('code, span')
    .filter({ hasText: '; touch mark' })
    .last()
    .boundingBox();
  const width = region.page().viewportSize()?.width ?? 0;
  expect(box).not.toBeNull();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
}

const link = (entry: unknown, name = 'docs') =>
  `sightglass://add?name=${name}&config=${encodeURIComponent(JSON.stringify(entry))}`;

async function openLink(sightglass: Sightglass, text: string): Promise<void> {
  await sightglass.page.evaluate((text) => {
    window.dispatchEvent(new CustomEvent('sightglass-open', { detail: { type: 'link', text } }));
  }, text);
}

for (const viewport of SIZES) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport });

    test('a link is seen whole before it is saved or tried', async ({ sightglass }) => {
      await sightglass.open('clients');
      await openLink(sightglass, link(ENTRY));
      const dialog = sightglass.dialog('Add server');
      const launch = dialog.getByRole('region', { name: 'What docs does' });
      await expect(launch).toContainText(
        'Connecting starts this program on your computer, as you and with your environment variables.',
      );
      await isSeenWhole(launch);
      await bothEndsAreSeen(launch);
      const change = dialog.getByRole('region', { name: startingWith('Change of') });
      await isSeenWhole(change);
      // The field has one line; what it does not show stands below it.
      await expect(dialog).toContainText('Hidden characters, written out:');
      await isWithoutHidden(dialog);
      const isCut = await dialog.evaluate((node) => node.scrollWidth > node.clientWidth);
      expect(isCut).toBe(false);
    });

    test('several pasted servers are seen whole', async ({ sightglass }) => {
      await sightglass.open('clients');
      await sightglass.page.getByRole('button', { name: 'Add server' }).click();
      const dialog = sightglass.dialog('Add server');
      await dialog
        .getByRole('textbox', { name: 'Paste anything' })
        .fill(fileOf({ one: ENTRY, [`two${HIDDEN}`]: ENTRY }));
      const found = dialog.getByRole('list', { name: 'Servers found' });
      await isSeenWhole(found);
      await expect(found).toContainText(`two${ESCAPED}`);
      for (const name of ['one', `two${ESCAPED}`]) {
        await isSeenWhole(dialog.getByRole('region', { name: `What ${name} does` }));
      }
      await isSeenWhole(dialog.getByRole('region', { name: startingWith('Change of') }));
    });

    test('what is imported from another client is seen whole', async ({ sightglass }) => {
      await sightglass.open('scopes');
      await sightglass.writeFile('home/.cursor/mcp.json', fileOf({ hidden: ENTRY }));
      await sightglass.run('Import from other clients');
      const dialog = sightglass.dialog('Import from other clients');
      await dialog.getByText('hidden', { exact: true }).click();
      await isSeenWhole(dialog.getByRole('region', { name: 'What hidden does' }));
      await isSeenWhole(dialog.getByRole('region', { name: startingWith('Change of') }));
      await isWithoutHidden(dialog);
    });

    test('a server of a project is seen whole before it is approved', async ({ sightglass }) => {
      await sightglass.open('scopes');
      await sightglass.writeFile('project/.mcp.json', fileOf({ stranger: ENTRY }));
      await sightglass.select('stranger');
      const main = sightglass.page.getByRole('main');
      await expect(main.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
      const facts = main.locator('dl').filter({ hasText: 'Command' });
      await isSeenWhole(facts);
      await bothEndsAreSeen(facts);
    });
  });
}

for (const [fault, text] of [
  ['with a name that is taken', fileOf({ docs: { command: 'true' } })],
  ['for a file that is broken', '{'],
] as const) {
  test(`a link ${fault} is seen whole before it is tried`, async ({ sightglass }) => {
    await sightglass.open('clients');
    // Whichever of them it would be saved in.
    for (const file of ['.mcp.json', '.claude/.mcp.json']) {
      await sightglass.writeFile(`project/${file}`, text);
    }
    const isTaken = text !== '{';
    if (isTaken) await expect(sightglass.server('docs')).toBeVisible();
    await openLink(sightglass, link(ENTRY));
    const dialog = sightglass.dialog('Add server');
    const alert = dialog.getByRole('alert').filter({ hasText: '.mcp.json' });
    if (isTaken) {
      // A free name is offered; of another one it is said once, at its field.
      const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
      await expect(name).toHaveValue('docs-2');
      await name.fill('docs');
      await expect(dialog).toContainText('There is one of that name already');
      await expect(alert).toHaveCount(0);
    } else {
      await expect(alert).toBeVisible();
    }
    const launch = dialog.getByRole('region', { name: 'What “Connect without saving” does' });
    await isSeenWhole(launch);
    await bothEndsAreSeen(launch);
    await expect(dialog.getByRole('button', { name: 'Connect without saving' })).toBeEnabled();
    await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  });
}

for (const verb of ['Copy', 'Move'] as const) {
  test(`${verb} shows a server whole`, async ({ sightglass }) => {
    const { page } = sightglass;
    await sightglass.openFiles();
    await sightglass.writeFile('home/.claude/.mcp.json', fileOf({ hidden: ENTRY }));
    await expect(sightglass.configRow('hidden')).toBeVisible();
    await (await sightglass.configCell('hidden', 'User')).click({ button: 'right' });
    await page.getByRole('menuitem', { name: new RegExp(`^${verb} to…`) }).click();
    const dialog = sightglass.dialog(`${verb} hidden`);
    await dialog.getByRole('button', { name: startingWith('Choose a file') }).click();
    await page
      .getByRole('option', { name: startingWith('Only in Sightglass, this project, only you') })
      .click();
    await isSeenWhole(dialog.getByRole('region', { name: 'What hidden does' }));
    const changes = dialog.getByRole('region', { name: startingWith('Change of') });
    await isSeenWhole(changes.first());
    await isWithoutHidden(dialog);
  });
}

test('a sync shows a server whole', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.writeFile('home/.cursor/mcp.json', fileOf({ hidden: ENTRY }));
  await sightglass.run('Switch servers on in clients');
  await page.getByRole('button', { name: 'Copy hidden to other clients' }).click();
  const dialog = sightglass.dialog('Copy hidden to other clients');
  await dialog.getByText('Windsurf', { exact: true }).click();
  await isSeenWhole(dialog.getByRole('region', { name: 'What hidden does' }));
  await isSeenWhole(dialog.getByRole('region', { name: startingWith('Change of') }));
});

test('a variable of the environment is read once it is ticked, and said with its host', async ({
  sightglass,
}) => {
  await sightglass.open('clients');
  const headers = { 'X-Client': '${HOME:-sightglass}' };
  await openLink(sightglass, link({ url: 'https://docs.example/mcp', headers }));
  const dialog = sightglass.dialog('Add server');
  const change = dialog.getByRole('region', { name: startingWith('Change of') });
  const launch = dialog.getByRole('region', { name: 'What docs does' });
  await expect(change).toContainText('"X-Client": "sightglass"');
  await expect(launch).toContainText('Connecting sends requests to docs.example.');
  await expect(launch).not.toContainText('HOME');
  const asked = dialog.getByRole('checkbox', {
    name: 'Sends the variable HOME of your environment to docs.example.',
  });
  await expect(asked).not.toBeChecked();
  await asked.click({ force: true });
  await expect(change).toContainText('"X-Client": "${HOME:-sightglass}"');
  await expect(launch).toContainText(
    'Sends the variable HOME of your environment to docs.example.',
  );
});

test('a second link waits until the dialog that is open is closed', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await openLink(sightglass, link(ENTRY, 'first'));
  const dialog = sightglass.dialog('Add server');
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toHaveValue('first');
  await name.fill('mine');
  await openLink(sightglass, link(ENTRY, 'second'));
  await expect(dialog.getByText('1 link waits until this dialog is closed.')).toBeVisible();
  await expect(name).toHaveValue('mine');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(name).toHaveValue('second');
});
