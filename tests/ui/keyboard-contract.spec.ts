import type { Page } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

/** The element in focus; never the page itself after a navigation. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    const label = element.getAttribute('aria-label') ?? element.closest('[aria-label]')?.ariaLabel;
    return `${element.getAttribute('role') ?? element.tagName.toLowerCase()} ${label ?? ''}`.trim();
  });
}

function palette(page: Page) {
  return page.getByRole('dialog', { name: 'Command palette' });
}

async function demoTools(sightglass: Sightglass): Promise<void> {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await expect(sightglass.tool('echo')).toBeVisible();
  await sightglass.findTool('echo');
}

type Check = (sightglass: Sightglass, key: string) => Promise<void>;

const presses =
  (expected: (page: Page) => Promise<void>): Check =>
  async ({ page }, key) => {
    await page.keyboard.press(key);
    await expected(page);
  };

const opensDialog = (name: string): Check =>
  presses(async (page) => {
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name })).toHaveCount(0);
  });

const focuses = (pattern: RegExp): Check =>
  presses((page) => expect.poll(() => focused(page)).toMatch(pattern));

/** What each row of the table promises, by what it does. Keys of places have tests of their own. */
const CHECKS: Readonly<Record<string, Check | 'below'>> = {
  'Command palette': opensDialog('Command palette'),
  'Next or previous pane': async ({ page }) => {
    const before = await focused(page);
    await page.keyboard.press('F6');
    await expect.poll(() => focused(page)).not.toBe(before);
    expect(await focused(page)).not.toBe('nothing');
    await page.keyboard.press('Shift+F6');
    await expect.poll(() => focused(page)).not.toBe('nothing');
  },
  'Filter this pane': focuses(/^input Filter/),
  Settings: opensDialog('Settings'),
  Guide: opensDialog('Guide'),
  // The desktop asks for the folder.
  'Open folder': 'below',
  'Switch project': presses(async (page) => {
    await expect(page.getByRole('menu', { name: 'Projects' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu', { name: 'Projects' })).toHaveCount(0);
  }),
  'Keyboard shortcuts': async ({ page }) => {
    await page.getByRole('tab', { name: /^Tools/ }).focus();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
  },
  'Zoom in': presses((page) =>
    expect(page.getByRole('region', { name: 'Messages' })).toContainText('Zoom 110 %'),
  ),
  'Zoom out': presses((page) =>
    expect(page.getByRole('region', { name: 'Messages' })).toContainText('Zoom 100 %'),
  ),
  'Filter servers': focuses(/^input Filter servers/),
  'Add server': opensDialog('Add server'),
  Tests: async (sightglass, key) => {
    const { page } = sightglass;
    await page.keyboard.press(key);
    await expect(page.getByRole('heading', { name: 'Tests', exact: true })).toBeVisible();
    await page.keyboard.press('Control+1');
    await expect(page.getByRole('heading', { name: 'Demo', exact: true })).toBeVisible();
  },
  'Setup: switch servers on in clients': async (sightglass, key) => {
    const { page } = sightglass;
    await page.keyboard.press(key);
    await expect(page.getByRole('heading', { name: 'Setup', exact: true })).toBeVisible();
    await expect.poll(() => focused(page)).not.toBe('nothing');
    await page.keyboard.press('Control+1');
    await expect(page.getByRole('heading', { name: 'Demo', exact: true })).toBeVisible();
  },
  'Go to server 1 to 9': async ({ page }) => {
    await page.keyboard.press('Control+1');
    await expect.poll(() => focused(page)).toMatch(/^(option|listbox) .*Tools/);
  },
  Run: async (sightglass, key) => {
    await sightglass.page
      .getByRole('textbox', { name: /message/i })
      .first()
      .fill('pressed');
    await sightglass.page.keyboard.press(key);
    await expect(sightglass.result).toContainText('pressed');
  },
  'Edit the arguments': focuses(/^(textarea|input|textbox)/),
  'Load this list again': presses(async () => {}),
  'Show or hide traffic': async (sightglass, key) => {
    await sightglass.page.keyboard.press(key);
    await expect(sightglass.traffic).toHaveCount(0);
    await sightglass.page.keyboard.press(key);
    await expect(sightglass.traffic).toBeVisible();
  },
  'Maximise or restore traffic': async ({ page }, key) => {
    await page.keyboard.press(key);
    await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
    await page.keyboard.press(key);
    await expect(page.getByRole('button', { name: 'Maximise' })).toHaveCount(1);
    await page.getByRole('tab', { name: /^Tools/ }).focus();
  },
  'Filter traffic': focuses(/^input Filter traffic/),
  // key-places.spec.ts
  Connect: 'below',
  // Offered while there is something to stop, to undo or to go on with.
  'Stop the call': 'below',
  // runs.spec.ts
  'Restart and run again': 'below',
  'Undo the last change': 'below',
  Redo: 'below',
  'Review and save the change': 'below',
  'Continue to the next step': 'below',
  'Continue without pausing': 'below',
  Move: 'below',
  Open: 'below',
  'Step outward': 'below',
  // lists.spec.ts
  'Collapse or expand a group': 'below',
  'Leave the filter for its rows': 'below',
  'Empty the filter': 'below',
  'Complete the filter': 'below',
  'Fold or unfold the rows of a call': 'below',
  Confirm: 'below',
  // bookmarks.spec.ts
  'Bookmark the selected message': 'below',
  // requests.spec.ts
  'Answer the open question': 'below',
  // question-keys.spec.ts
  'Accept the answer to a question': 'below',
  'Close; asks if something was typed': 'below',
  'Actions only': 'below',
};

test('every key of the table does what the table says', async ({ sightglass }) => {
  const { page } = sightglass;
  await demoTools(sightglass);
  await page.getByRole('tab', { name: /^Tools/ }).focus();
  await page.keyboard.press('?');
  const rows = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('dl > div');
  await expect(rows.first()).toBeVisible();
  const table = await rows.evaluateAll((all) =>
    all.map((row) => ({
      does: row.querySelector('dt')?.textContent ?? '',
      place: row.querySelector('dd')?.textContent ?? '',
      keys: [...row.querySelectorAll('kbd')].map((key) => key.textContent ?? ''),
    })),
  );
  await page.keyboard.press('Escape');
  // key-places.spec.ts, undoing.spec.ts
  expect(table.filter(({ place }) => place === '')).toEqual([]);
  expect(table.map(({ does }) => does).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
  for (const { does, keys } of table) {
    const check = CHECKS[does];
    if (check === undefined || check === 'below') continue;
    for (const key of keys) {
      await test.step(`${key}: ${does}`, () =>
        check(
          sightglass,
          key.replace('Ctrl', 'Control').replace(/\+([A-Z])$/, (all) => all.toLowerCase()),
        ));
    }
  }
});

test('after a navigation the focus is where the work goes on', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.select('Demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  await expect(sightglass.phase).toHaveText('Ready');
  await expect.poll(() => focused(page)).toMatch(/^tabpanel/);
  await expect(sightglass.panel).toHaveCSS('outline-style', 'none');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('show tools');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toMatch(/^(option|listbox) .*Tools/);

  await page.keyboard.press('Control+p');
  await page.keyboard.type('echo');
  await expect(palette(page).getByRole('option').first()).toContainText('echo');
  await page.keyboard.press('Enter');
  await expect(sightglass.tool('echo')).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => focused(page)).toMatch(/^(textarea|input|textbox)/);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('>disconnect');
  await page.keyboard.press('Enter');
  await expect(sightglass.phase).toHaveText('Disconnected');
  await expect.poll(() => focused(page)).not.toBe('nothing');
});

test('a dialog begins at its first field, asks before it throws text away', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.keyboard.press('Control+Shift+a');
  const dialog = page.getByRole('dialog', { name: 'Add server' });
  await expect.poll(() => focused(page)).toMatch(/^(textarea|input|textbox)/);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await page.keyboard.press('Control+Shift+a');
  await expect.poll(() => focused(page)).toMatch(/^(textarea|input|textbox)/);
  await page.keyboard.insertText('npx -y my-server');
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('Discard what you typed?')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('Discard what you typed?')).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
});

test('Ctrl+Enter confirms a dialog', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toHaveCount(0);
});

test('the palette finds everything, ranks it, and has the recent first', async ({ sightglass }) => {
  const { page } = sightglass;
  await demoTools(sightglass);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('objects');
  const options = palette(page).getByRole('option');
  await expect(options.first()).toContainText('schema_objects');
  await expect(options.first().locator('mark')).toHaveText('objects');
  await page.keyboard.press('Enter');
  await expect(sightglass.tool('schema_objects')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+k');
  const recent = palette(page).getByRole('group', { name: 'Recent' });
  await expect(recent.getByRole('option').first()).toContainText('schema_objects');

  await page.keyboard.type('>');
  await expect(palette(page).getByRole('group')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('keep at most');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: /Keep at most/ })).toBeFocused();
});

test('a list shows what is named so first, and marks it', async ({ sightglass }) => {
  const { page } = sightglass;
  await demoTools(sightglass);
  const filter = page.getByRole('searchbox', { name: 'Filter tools' });
  await filter.fill('objects');
  const first = sightglass.toolList.getByRole('option').first();
  await expect(first).toContainText('schema_objects');
  await expect(first.locator('mark').first()).toHaveText('objects');
  await filter.fill('schobj');
  await expect(first).toContainText('schema_objects');
  await filter.focus();
  await page.keyboard.press('ArrowDown');
  await expect(sightglass.toolList).toBeFocused();
});

test('a jump from anywhere leads the focus along', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('obstacles');
  await sightglass.select('gone');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Failed: could not start' });
  await panel.getByRole('button', { name: 'Edit server' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('>check the connection');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Connection', exact: true })).toBeVisible();
  await expect.poll(() => focused(page)).toMatch(/^(option Connection|listbox Checks)/);
});

test('what is removed takes the focus to the main pane, and no key is lost', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('project');
  await sightglass.select('orders');
  await sightglass.run('Remove this server');
  const dialog = sightglass.dialog('Remove orders');
  // Enter removes nothing: the button that does not has the focus, and shows it.
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeEnabled();
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeFocused();
  await expect(cancel).toHaveCSS('outline-style', 'solid');
  await sightglass.confirm('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(sightglass.server('orders')).toBeVisible();
  await sightglass.run('Remove this server');
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeEnabled();
  await sightglass.confirm();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => focused(page)).not.toBe('nothing');
});
