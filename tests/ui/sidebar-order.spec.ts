import { expect, test } from './support/sightglass';

test('several servers are connected and disconnected together', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  await sightglass.server('notes').click();
  await sightglass.server('docs').click({ modifiers: ['Control'] });
  const bar = page.getByRole('region', { name: 'Selected servers' });
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(sightglass.server('notes')).toContainText('Ready');
  await expect(sightglass.server('docs')).toContainText('Ready');
  await bar.getByRole('button', { name: 'Disconnect' }).click();
  await expect(sightglass.server('docs')).toContainText('Disconnected');
  await bar.getByRole('button', { name: 'Select one server alone' }).click();
  await expect(bar).toBeHidden();
});

test('a server is dragged to another place of its group, and stays there', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open('clients');
  const names = () =>
    page
      .getByRole('group', { name: 'Yours' })
      .getByRole('option')
      .allInnerTexts();
  const first = async () => (await names())[0];
  expect(await first()).toContain('notes');
  await sightglass.server('linear').hover();
  await page.mouse.down();
  const target = await sightglass.server('notes').boundingBox();
  if (!target) throw new Error('the row is not drawn');
  await page.mouse.move(target.x + 30, target.y + 12);
  await page.mouse.move(target.x + 30, target.y + 4);
  await expect(sightglass.server('notes')).toHaveAttribute('data-drop', 'before');
  await page.mouse.up();
  await expect.poll(first).toContain('linear');
  await sightglass.select('linear');
  await sightglass.run('Move this server down');
  await expect.poll(first).toContain('notes');
});

test('all servers that can be are connected and disconnected at once', async ({ sightglass }) => {
  // All of them in view: only the rows in view are drawn.
  await sightglass.page.setViewportSize({ width: 1440, height: 1100 });
  await sightglass.open('clients');
  await sightglass.run('Connect all servers');
  for (const name of ['notes', 'docs', 'shell', 'Demo']) {
    await expect(sightglass.server(name)).toContainText('Ready');
  }
  // What waits for its user is left alone.
  await expect(sightglass.server('tickets')).toContainText('Needs approval');
  await sightglass.run('Disconnect all servers');
  for (const name of ['notes', 'docs', 'shell', 'Demo']) {
    await expect(sightglass.server(name)).toContainText('Disconnected');
  }
});

test('a server is chosen to be connected at the start, and let off again', async ({
  sightglass,
}) => {
  await sightglass.open('clients');
  const chosen = async () => {
    const { settings } = (await sightglass.invoke('get_snapshot')) as {
      settings: { connectAtStart: string[] };
    };
    return settings.connectAtStart;
  };
  await sightglass.select('docs');
  await sightglass.run('Connect at start');
  await expect.poll(chosen).toEqual(['codex:docs']);
  await sightglass.run('Do not connect at start');
  await expect.poll(chosen).toEqual([]);
});
