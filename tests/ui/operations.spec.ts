import type { Locator } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

/** Runs a tool of the demo server to its end, and shows the operations. */
async function runToEnd(sightglass: Sightglass, tool: string): Promise<void> {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool(tool);
  await sightglass.runButton.click();
}

test('a call with progress is one operation, which opens into its messages', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await runToEnd(sightglass, 'long_running');
  await expect(sightglass.result).toContainText('Done in');
  await sightglass.showTraffic('Calls');
  const call = sightglass.operationRow('long_running');
  await expect(call).toHaveCount(1);
  await expect(call).toContainText('ok');
  await expect(call).toHaveAttribute('aria-level', '1');
  await expect(call).toHaveAttribute('aria-expanded', 'false');
  const progress = sightglass.operationRow('notifications/progress');
  await expect(progress).toHaveCount(0);

  await sightglass.operations.focus();
  await page.keyboard.press('End');
  while ((await selected(sightglass).filter({ hasText: 'long_running' }).count()) === 0) {
    await page.keyboard.press('ArrowUp');
  }
  await page.keyboard.press('ArrowRight');
  await expect(call).toHaveAttribute('aria-expanded', 'true');
  await expect(progress.first()).toHaveAttribute('aria-level', '2');
  await page.keyboard.press('ArrowRight');
  await expect(selected(sightglass)).toHaveAttribute('aria-level', '2');
  await page.keyboard.press('ArrowLeft');
  await expect(selected(sightglass)).toContainText('long_running');
  await page.keyboard.press('ArrowLeft');
  await expect(call).toHaveAttribute('aria-expanded', 'false');
  await expect(progress).toHaveCount(0);

  // Whatever of it matches, it counts once.
  await sightglass.trafficFilter.fill('method:notifications/progress');
  await expect(call).toHaveCount(1);
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
  await sightglass.trafficFilter.fill('no such text');
  await expect(page.getByText('Nothing matches')).toBeVisible();
});

test('calls alone are rows and are counted, until other kinds are asked for', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await runToEnd(sightglass, 'long_running');
  await expect(sightglass.result).toContainText('Done in');
  await sightglass.showTraffic('Calls');
  await expect(sightglass.operationRow('long_running')).toContainText(/\d progress/);
  await expect(sightglass.operationRow('handshake')).toHaveCount(0);
  await expect(page.getByText(/^\d+ calls$/)).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const choices = page.getByRole('dialog', { name: 'Rows to show' });
  const all = choices.getByRole('button', { name: 'All kinds' });
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await choices.getByRole('button', { name: 'Requests' }).click();
  await expect(all).toHaveAttribute('aria-pressed', 'false');
});

test('the time that a person took is told apart, and the question is a part of the call', async ({
  sightglass,
}) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.showTraffic('Calls');
  await sightglass.show('Tools');
  await sightglass.findTool('ask_elicitation');
  await sightglass.runButton.click();
  const call = sightglass.operationRow('ask_elicitation').first();
  await expect(call).toContainText('waiting');
  await expect(call).toContainText(/, of it .* waiting for a person/);
  await sightglass.result.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await sightglass.result.getByRole('textbox', { name: /Email/ }).fill('ada@acme.example');
  await sightglass.confirm();
  await expect(sightglass.result).toContainText('Done in');
  await expect(call).toContainText('ok');
  await expect(call).toContainText(/\d ms|\d s/);
  await expect(call).toContainText(/, of it .* waiting for a person/);
  await expect(call).toContainText(/1 (question|input round)/);
  await call.locator('[data-fold]').click();
  const part = sightglass.operations.locator('[aria-level="2"]').first();
  await expect(part).toContainText(/question|further round/);
});

test('a message leads to what caused it and what it caused, by keyboard', async ({
  sightglass,
}) => {
  const { page, trafficDetail: detail } = sightglass;
  await runToEnd(sightglass, 'long_running');
  await expect(sightglass.result).toContainText('Done in');
  // The rows move while others come.
  await expect(sightglass.trafficRow('5 of 5').first()).toBeVisible();
  await sightglass.trafficRow('notifications/progress').first().click();
  await expect(detail.getByRole('heading')).toContainText('notifications/progress');
  await detail.getByRole('tab', { name: /^Message/ }).focus();
  await page.keyboard.press('End');
  while ((await detail.getByRole('tab', { name: /^Related 1$/, selected: true }).count()) === 0) {
    await page.keyboard.press('ArrowLeft');
  }
  await expect(detail).toContainText(/Call #\d+ tools\/call long_running/);
  const related = detail.getByRole('listbox', { name: 'Related rows' });
  await expect(
    related.getByRole('option', { name: /^progress of #\d+ tools\/call/ }),
  ).toBeVisible();
  await related.getByRole('option', { name: /^progress of/ }).focus();
  await page.keyboard.press('Enter');
  await expect(detail.getByRole('heading')).toContainText('long_running');
  await expect(selectedIn(sightglass.traffic)).toContainText('long_running');
  const caused = related.getByRole('option', { name: /^progress #\d+ notifications\/progress/ });
  await expect(caused.first()).toBeVisible();
  await caused.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(detail.getByRole('heading')).toContainText('notifications/message');
  await expect(related.getByRole('option', { name: /^logged during/ })).toBeFocused();

  await detail.getByRole('button', { name: 'Show in Calls' }).press('Enter');
  await expect(selected(sightglass)).toContainText('notifications/message');
  await expect(selected(sightglass)).toHaveAttribute('aria-level', '2');
  await expect(sightglass.operations).toBeFocused();
});

test('the view that was chosen stays, and the palette changes it', async ({ sightglass }) => {
  await sightglass.open();
  await sightglass.run('Show Calls');
  await expect(sightglass.operationRow('search_files').first()).toBeVisible();
  await sightglass.page.reload();
  await expect(sightglass.operations).toBeVisible({ timeout: 60_000 });
  await sightglass.run('Show Raw');
  await expect(sightglass.trafficRow('search_files').first()).toBeVisible();
});

const line = (members: object) => `${JSON.stringify({ v: 2, ...members })}\n`;

const message = (seq: number, dir: string, raw: { method?: string } & Record<string, unknown>) =>
  line({
    seq,
    conn: 1,
    ts: 1_760_000_000_000 + seq * 100,
    dir,
    kind: 'request',
    method: raw.method ?? '',
    raw: JSON.stringify({ jsonrpc: '2.0', ...raw }),
  });

const CALL = { name: 'weather', _meta: { progressToken: 7 } };
const RECORDED = [
  line({ dir: 'meta', format: 'sightglass-session', application: 'sightglass 9.8.7', ts: 0 }),
  line({ dir: 'meta', conn: 1, server: { id: 'mcp-json:theirs', name: 'theirs' } }),
  message(1, 'c2s', { id: 1, method: 'tools/call', params: CALL }),
  message(2, 's2c', {
    method: 'notifications/progress',
    params: { progressToken: 7, progress: 1 },
  }),
  message(3, 's2c', { id: 9, method: 'elicitation/create', params: { message: 'Where?' } }),
  message(13, 'c2s', { id: 9, result: { action: 'accept', content: {} } }),
  message(14, 's2c', { id: 1, result: { content: [{ type: 'text', text: 'Rain' }] } }),
].join('');

test('a session file has its operations too, and says what is inferred', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.writeFile('project/recorded.ndjson', RECORDED);
  await sightglass.run('Open session file');
  await expect(page.getByRole('heading', { name: 'recorded.ndjson' })).toBeVisible();
  await sightglass.showTraffic('Calls');
  const call = sightglass.operationRow('weather');
  await expect(call).toContainText('1.3 s, of it 1.0 s waiting for a person');
  await expect(call).toContainText('inferred');
  await call.locator('[data-fold]').click();
  const question = sightglass.operationRow('elicitation/create');
  await expect(question).toContainText('inferred');
  await question.click();
  await sightglass.trafficDetail.getByRole('tab', { name: /^Related/ }).click();
  await expect(sightglass.trafficDetail).toContainText('asked during');
});

test('a tree of ten thousand rows is loaded as far as it is seen', async ({ sightglass }) => {
  const { page } = sightglass;
  const count = 10_000;
  const progress = Array.from({ length: count }, (_, index) =>
    message(index + 2, 's2c', {
      method: 'notifications/progress',
      params: { progressToken: 7, progress: index + 1 },
    }),
  );
  const end = message(count + 2, 's2c', { id: 1, result: { content: [] } });
  await sightglass.open('welcome');
  await sightglass.writeFile(
    'project/recorded.ndjson',
    [
      ...RECORDED.split('\n', 2).map((head) => `${head}\n`),
      message(1, 'c2s', { id: 1, method: 'tools/call', params: CALL }),
      ...progress,
      end,
    ].join(''),
  );
  await sightglass.run('Open session file');
  await sightglass.showTraffic('Calls');
  const call = sightglass.operationRow('weather');
  await expect(call).toContainText('10,000 progress');
  await call.locator('[data-fold]').click();
  await expect(sightglass.operations).toHaveAttribute('aria-rowcount', String(count + 2));
  await sightglass.operations.focus();
  await page.keyboard.press('End');
  await expect(selected(sightglass)).toHaveAttribute('aria-rowindex', String(count + 2));
  await expect(selected(sightglass)).toContainText('notifications/progress');
  await page.keyboard.press('ArrowLeft');
  await expect(selected(sightglass)).toContainText('weather');

  await selected(sightglass).click();
  await sightglass.trafficDetail.getByRole('tab', { name: 'Related 10,000' }).click();
  await expect(sightglass.trafficDetail).toContainText('the first 1,000 of 10,000');
});

/** The row that the keyboard is at. */
function selected(sightglass: Sightglass): Locator {
  return selectedIn(sightglass.operations);
}

function selectedIn(grid: Locator): Locator {
  return grid.locator('[role=row][aria-selected=true]');
}
