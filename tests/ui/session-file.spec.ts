import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

const line = (members: object) => `${JSON.stringify({ v: 2, ...members })}\n`;

const message = (seq: number, dir: string, kind: string, raw: object, method = '') =>
  line({ seq, conn: 1, ts: 1_760_000_000_000 + seq, dir, kind, method, raw: JSON.stringify(raw) });

const RECORDED = [
  line({ dir: 'meta', format: 'sightglass-session', application: 'sightglass 9.8.7', ts: 0 }),
  line({ dir: 'meta', conn: 1, server: { id: 'mcp-json:theirs', name: 'theirs' } }),
  message(1, 'c2s', 'request', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } }, 'tools/call'),
  message(2, 's2c', 'request', { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'a needle' }] } }),
  message(3, 'c2s', 'request', { jsonrpc: '2.0', id: 2, method: 'prompts/list' }, 'prompts/list'),
].join('');

test('a session file is opened, checked, searched and closed', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile('project/recorded.ndjson', RECORDED);
  await sightglass.run('Open session file');

  await expect(page.getByRole('heading', { name: 'recorded.ndjson' })).toBeVisible();
  await expect(page.getByText('The file was cut off')).toHaveCount(2);
  const drawer = page.getByRole('region', { name: 'Traffic drawer, session recorded.ndjson' });
  await expect(drawer.getByRole('row').filter({ hasText: 'weather' })).toBeVisible();

  const pending = page.getByRole('region', { name: 'Requests without an answer' });
  await expect(pending).toContainText('prompts/list');
  await pending.getByRole('button', { name: 'Show row' }).click();
  await expect(drawer.getByRole('heading', { name: /prompts\/list/ })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  await sightglass.trafficFilter.fill('needle');
  await expect(drawer.getByRole('row').filter({ hasText: 'prompts/list' })).toHaveCount(0);
  await expect(drawer.getByRole('button', { name: 'Clear' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Session file recorded.ndjson' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Traffic drawer', exact: true })).toBeVisible();
});
