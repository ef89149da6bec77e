import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

const line = (members: object) => `${JSON.stringify({ v: 2, ...members })}\n`;

const message = (seq: number, dir: string, kind: string, raw: object, method = '') =>
  line({ seq, conn: 1, ts: 1_760_000_000_000 + seq, dir, kind, method, raw: JSON.stringify(raw) });

const RECORDED = [
  line({ dir: 'meta', format: 'sightglass-session', application: 'sightglass 9.8.7', ts: 0 }),
  line({ dir: 'meta', conn: 1, server: { id: 'mcp-json:theirs', name: 'theirs' } }),
  message(
    1,
    'c2s',
    'request',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } },
    'tools/call',
  ),
  message(2, 's2c', 'request', {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'a needle' }] },
  }),
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
  await sightglass.trafficFilter.fill('');
  await drawer.getByRole('button', { name: 'Traffic actions' }).click();
  await expect(page.getByRole('menuitem', { name: /^Copy/ }).first()).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Clear…' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Session file recorded.ndjson' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Traffic drawer', exact: true })).toBeVisible();
});

test('recorded requests are sent again, and a changed tool is shown', async ({ sightglass }) => {
  const { page } = sightglass;
  const listed = {
    tools: [{ name: 'echo', description: 'Sends it', inputSchema: { type: 'object' } }],
  };
  const call = (seq: number, name: string, args: object, answer: string) =>
    message(
      seq,
      'c2s',
      'request',
      { jsonrpc: '2.0', id: seq, method: 'tools/call', params: { name, arguments: args } },
      'tools/call',
    ) +
    message(seq + 1, 's2c', 'request', {
      jsonrpc: '2.0',
      id: seq,
      result: { content: [{ type: 'text', text: answer }] },
    });
  const recording = [
    line({ dir: 'meta', format: 'sightglass-session', application: 'sightglass 9.8.7', ts: 0 }),
    line({ dir: 'meta', conn: 1, server: { id: 'builtin:demo', name: 'demo' } }),
    message(1, 'c2s', 'request', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'tools/list'),
    message(2, 's2c', 'request', { jsonrpc: '2.0', id: 1, result: listed }),
    call(3, 'echo', { message: 'again' }, 'another answer'),
    call(5, 'change_tools', { action: 'add' }, 'done'),
    line({ dir: 'meta', end: { frames: 6 } }),
  ].join('');
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.writeFile('project/recorded.ndjson', recording);
  await sightglass.run('Open session file');

  await page.getByRole('button', { name: 'Replay' }).click();
  const replay = sightglass.dialog('Send the requests of recorded.ndjson again');
  const step = (name: string) => replay.getByRole('listitem').filter({ hasText: name });
  await expect(step('tools/call echo').getByRole('checkbox')).toBeChecked();
  await expect(step('change_tools').getByRole('checkbox')).not.toBeChecked();
  await expect(step('change_tools')).toContainText('may change something');
  await step('change_tools').getByText('tools/call change_tools').click();
  await replay.getByRole('button', { name: 'Send 3 requests' }).click();
  await expect(replay.getByRole('alert')).toContainText('1 chosen call may change something');
  await replay.getByRole('button', { name: 'Leave these out' }).click();
  await expect(step('change_tools')).toContainText('not sent');
  await expect(step('tools/call echo')).toContainText('different');
  await expect(step('tools/call echo')).toContainText('another answer');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  await replay.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const comparison = sightglass.dialog('Compare recorded.ndjson');
  await comparison.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(comparison.getByRole('list', { name: 'Changes' })).toContainText('is required now');
});
