import { expect, test } from './support/sightglass';

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('obstacles');
});

test('a missing variable is said everywhere before connecting, and can be set for the session', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const reason = 'SIGHTGLASS_TEST_KEY is not set';
  await expect(sightglass.server('unset')).toContainText(reason);
  await sightglass.select('unset');
  await expect(sightglass.phase).toHaveText(reason);
  const panel = page.getByRole('region', { name: reason });
  await expect(panel).toContainText('env.API_KEY needs the variable SIGHTGLASS_TEST_KEY');
  await expect(panel.getByRole('button', { name: 'Edit server' })).toBeVisible();
  await expect(panel.getByRole('button', { name: /^Open at line \d+$/ })).toBeVisible();
  await panel.getByLabel('SIGHTGLASS_TEST_KEY').fill('only for now');
  await panel.getByRole('button', { name: 'Set for this session and connect' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
  const given = page.getByRole('region', { name: 'Set for this session' });
  await expect(given).toContainText('SIGHTGLASS_TEST_KEY');
  await expect(given).not.toContainText('only for now');
});

test('a server that waits for approval says so in its header, and connects once approved', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await expect(sightglass.server('foreign')).toContainText('Needs approval');
  await sightglass.select('foreign');
  await expect(sightglass.phase).toHaveText('Needs approval');
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await expect(connect).toBeDisabled();
  await expect(connect).toHaveAccessibleDescription('Needs approval');
  await page.getByRole('button', { name: 'Approve and connect' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
});

test('a server that works has a verdict first, with what others may trip over', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.select('noisy');
  const verdict = page.getByRole('region', { name: /^Works/ });
  await expect(verdict).toContainText(
    '1 line on stdout is not JSON-RPC: “Starting server on stdio...”',
  );
  await sightglass.settings('Connection');
  await expect(page.getByRole('region', { name: 'Time limits' })).toBeVisible();
});

test('every failure offers to edit the server and to connect again', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.select('gone');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Failed: could not start' });
  await expect(panel.getByRole('button', { name: 'Edit server' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Connect again' })).toBeVisible();
  await expect(sightglass.phase).toHaveText('Failed: could not start');
});
