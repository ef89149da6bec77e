import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

test.describe('the tools of the demo server', () => {
  test.beforeEach(async ({ sightglass }) => {
    await sightglass.open('welcome');
    await sightglass.connect('Demo');
    await sightglass.show('Tools');
    await expect(sightglass.tool('echo')).toBeVisible();
  });

  test('a row has a name, never cut for the description that follows', async ({ sightglass }) => {
    const row = sightglass.tool('echo');
    const name = row.getByText('echo', { exact: true });
    const isWhole = await name.evaluate((text) => {
      const box = text.closest('bdi');
      return box !== null && box.scrollWidth <= box.clientWidth;
    });
    expect(isWhole).toBe(true);
    const [first, second] = [
      await name.boundingBox(),
      await row.locator('[dir="auto"]').boundingBox(),
    ];
    expect(second?.x).toBeGreaterThanOrEqual((first?.x ?? 0) + (first?.width ?? 0));
    await expect(row).toHaveAttribute('title', /Read-only/);
  });

  test('a tool that the filter hides is said to be selected', async ({ sightglass }) => {
    const { page } = sightglass;
    await sightglass.tool('echo').click();
    const note = page.getByText('echo is selected, and hidden by the filter');
    const filter = page.getByRole('searchbox', { name: 'Filter tools' });
    await filter.fill('long_running');
    await expect(note).toBeVisible();
    await expect(page.getByRole('heading', { name: 'echo', exact: true })).toBeVisible();
    await filter.fill('echo');
    await expect(note).toHaveCount(0);
  });

  test('tools that are named alike make a group that collapses', async ({ sightglass }) => {
    const { page, toolList } = sightglass;
    const heading = toolList.getByRole('group', { name: /^schema_, \d+ items, expanded/ });
    await expect(heading).toBeVisible();
    await expect(sightglass.tool('schema_arrays')).toBeVisible();
    await heading.click();
    await expect(toolList.getByRole('group', { name: /^schema_.* collapsed/ })).toBeVisible();
    await expect(sightglass.tool('schema_arrays')).toHaveCount(0);
    // By the keyboard: the heading is where it was left.
    await toolList.focus();
    await page.keyboard.press('ArrowRight');
    await expect(sightglass.tool('schema_arrays')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await expect(sightglass.tool('schema_arrays')).toHaveCount(0);
    // A search ranks, without groups.
    await page.getByRole('searchbox', { name: 'Filter tools' }).fill('schema');
    await expect(sightglass.tool('schema_arrays')).toBeVisible();
    await expect(toolList.getByRole('group')).toHaveCount(0);
    await page.getByRole('searchbox', { name: 'Filter tools' }).fill('');
    await expect(sightglass.tool('schema_arrays')).toHaveCount(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
  });

  test('a jump to a tool in a collapsed group expands it', async ({ sightglass }) => {
    const { page, toolList } = sightglass;
    await toolList.getByRole('group', { name: /^schema_/ }).click();
    await expect(sightglass.tool('schema_objects')).toHaveCount(0);
    await page.keyboard.press('Control+P');
    await page.keyboard.type('schema_objects');
    await page.keyboard.press('Enter');
    await expect(sightglass.tool('schema_objects')).toHaveAttribute('aria-selected', 'true');
  });

  test('the list says what its definitions cost a model', async ({ sightglass }) => {
    const sum = sightglass.page.getByText(/^≈[\d,]+ tokens$/).first();
    await expect(sum).toHaveAttribute('title', /a model’s context/);
  });
});

test('what all resources begin with is shown once', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Resources');
  const list = page.getByRole('listbox', { name: 'Resources' });
  await expect(page.getByText('demo://…')).toBeVisible();
  // Its name is still the whole URI.
  const row = list.getByRole('option', { name: /^demo:\/\// }).first();
  await expect(row).toBeVisible();
  const hidden = row.getByText('demo://', { exact: true });
  expect((await hidden.boundingBox())?.width ?? 0).toBeLessThan(1);
});

test('the mark of a changed tool leads to its definition', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.script((command, answer) => {
    if (command !== 'list_items') return answer;
    const { rows } = answer as { rows: { name: string; fresh: boolean; changed: boolean }[] };
    for (const row of rows) row.changed = row.fresh = row.name === 'add';
    return answer;
  });
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await page.getByText('● changed').click();
  await expect(page.getByRole('heading', { name: 'add', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Definition', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  // Another tool opens as ever.
  await page
    .getByRole('option', { name: /^echo / })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Definition', exact: true })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
});
