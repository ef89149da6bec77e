import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

test('skills are listed, verified and shown file by file', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await expect(page.getByRole('tab', { name: /^Skills/ })).toHaveCount(0);
  await sightglass.connect('Demo');
  await sightglass.show('Skills');
  const list = page.getByRole('listbox', { name: 'Skills', exact: true });
  await expect(list.getByRole('option')).toHaveCount(7);
  await list.getByRole('option', { name: 'git-workflow' }).click();
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary).toContainText('known once its files are read');
  await page.getByRole('button', { name: 'Verify all files' }).click();
  await expect(sightglass.panel.getByRole('status')).toContainText('Verified');
  await expect(summary).toContainText('Nothing is wrong with the entry and the files.');

  await page.getByRole('radio', { name: 'Files 4' }).click();
  const files = page.getByRole('listbox', { name: 'Files of the skill' });
  await expect(files.getByRole('option', { name: 'check.sh' })).toContainText('verified');
  await files.getByRole('option', { name: 'check.sh' }).click();
  await expect(page.getByText('git diff --check')).toBeVisible();
  await files.getByRole('option', { name: 'diagram.png' }).click();
  await expect(page.getByRole('img').last()).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  // The panes go below each other in a narrow window, and show the same.
  await page.setViewportSize({ width: 720, height: 480 });
  await expect(files.getByRole('option', { name: 'diagram.png' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('each fault of a skill is told with the rule that it is against', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Skills');
  const list = page.getByRole('listbox', { name: 'Skills', exact: true });
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(list.getByRole('option', { name: 'another-name' })).toContainText('1 error');
  const verify = async (name: string, finding: string) => {
    await list.getByRole('option', { name }).click();
    await page.getByRole('button', { name: 'Verify all files' }).click();
    await expect(page.getByText('Failed: a client must not load it')).toBeVisible();
    await expect(summary).toContainText(finding);
    await expect(list.getByRole('option', { name })).toContainText('Failed');
  };
  await verify('wrong-digest', 'A file has the digest that its entry says.');
  await verify('unlisted-file', 'The server shows scripts/more.sh in the directory');
  await verify('another-name', 'The path ends in wrong-name');
  await verify('wrong-frontmatter', 'description differs.');
  await page.getByRole('radio', { name: 'Frontmatter' }).click();
  const row = page.getByRole('row', { name: /^allowed-tools/ });
  await expect(row).toContainText('absent');
  await expect(row).toContainText('differs');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  await page.getByRole('searchbox', { name: 'Filter skills' }).fill('no such skill');
  await expect(page.getByText('No skill matches')).toBeVisible();
});
