import type { Locator } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

function timelineOf(sightglass: Sightglass): Locator {
  return sightglass.page.getByRole('application', { name: 'Timeline' });
}

function partsOf(sightglass: Sightglass): Locator {
  return sightglass.page.getByRole('region', { name: /^Parts of / });
}

async function showTimeline(sightglass: Sightglass): Promise<Locator> {
  await sightglass.showTraffic('Timeline');
  const timeline = timelineOf(sightglass);
  await expect(timeline).toBeVisible();
  return timeline;
}

/** The stretch of time that is shown, in milliseconds. */
async function spanOf(timeline: Locator): Promise<number> {
  const [from, to] = await Promise.all(
    ['data-from', 'data-to'].map((name) => timeline.getAttribute(name)),
  );
  return Number(to) - Number(from);
}

const line = (members: object) => `${JSON.stringify({ v: 2, ...members })}\n`;

const START = 1_760_000_000_000;

function message(
  seq: number,
  dir: string,
  at: number,
  raw: { method?: string } & Record<string, unknown>,
): string {
  return line({
    seq,
    conn: 1,
    ts: START + at,
    dir,
    kind: 'request',
    method: raw.method ?? '',
    raw: JSON.stringify({ jsonrpc: '2.0', ...raw }),
  });
}

const HEAD = [
  line({ dir: 'meta', format: 'sightglass-session', application: 'sightglass 9.8.7', ts: 0 }),
  line({ dir: 'meta', conn: 1, server: { id: 'mcp-json:theirs', name: 'theirs' } }),
];
const CALL = { name: 'weather', _meta: { progressToken: 7 } };
const ASKED = [
  message(1, 'c2s', 0, { id: 1, method: 'tools/call', params: CALL }),
  message(2, 's2c', 200, {
    method: 'notifications/progress',
    params: { progressToken: 7, progress: 1 },
  }),
  message(3, 's2c', 300, { id: 9, method: 'elicitation/create', params: { message: 'Where?' } }),
  message(4, 'c2s', 1300, { id: 9, result: { action: 'accept', content: {} } }),
  message(5, 's2c', 1500, { id: 1, result: { content: [{ type: 'text', text: 'Rain' }] } }),
  message(6, 'c2s', 1600, { id: 2, method: 'tools/call', params: { name: 'tides' } }),
  message(7, 's2c', 1900, { id: 2, error: { code: -32000, message: 'Low' } }),
];

async function openFile(sightglass: Sightglass, lines: readonly string[]): Promise<void> {
  await sightglass.open('welcome');
  await sightglass.writeFile('project/recorded.ndjson', lines.join(''));
  await sightglass.run('Open session file');
  await expect(
    sightglass.page.getByRole('heading', { name: 'recorded.ndjson', exact: true }),
  ).toBeVisible();
}

test('operations are bars, a person’s time is hatched, and the selected one shows its parts', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await openFile(sightglass, [...HEAD, ...ASKED]);
  const timeline = await showTimeline(sightglass);
  await expect(timeline).toHaveAttribute('data-bars', '2');
  await expect(timeline).toHaveAttribute('data-hatched', '1');
  await expect(page.getByRole('list', { name: 'Lanes' })).toContainText('theirs');
  await expect(page.getByRole('list', { name: 'Lanes' })).toContainText('requests');

  // By keyboard: the newest first, then along its lane.
  await timeline.focus();
  await page.keyboard.press('ArrowLeft');
  const said = page.getByRole('status').filter({ hasText: 'tools/call' });
  await expect(said).toContainText('tools/call tides, theirs, -32000, 300 ms');
  await page.keyboard.press('ArrowLeft');
  await expect(said).toContainText('tools/call weather, theirs, ok, 1.5 s, of it 1.0 s waiting');
  const parts = partsOf(sightglass);
  await expect(parts).toHaveAccessibleName(/tools\/call weather/);
  await expect(parts).toContainText('critical path');
  await expect(parts).toContainText('waiting for a person');
  await expect(parts.locator('canvas')).toHaveAttribute('data-parts', '3');
  await expect(parts.locator('canvas')).toHaveAttribute('data-arrows', '2');

  await page.keyboard.press('Enter');
  await expect(sightglass.trafficDetail.getByRole('heading')).toContainText('weather');
  await sightglass.trafficDetail.getByRole('tab', { name: /^Related/ }).click();
  await expect(sightglass.trafficDetail).toContainText('question');
  await page.keyboard.press('Escape');
  await expect(timeline).toBeFocused();

  // The selection is that of the other views.
  await sightglass.showTraffic('Calls');
  await expect(sightglass.operations.locator('[role=row][aria-selected=true]')).toContainText(
    'weather',
  );
});

test('the timeline is zoomed and moved by wheel, by keys and in the overview', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await openFile(sightglass, [...HEAD, ...ASKED]);
  const timeline = await showTimeline(sightglass);
  await expect(timeline).toHaveAttribute('data-bars', '2');
  // The view comes to what there is once that is known.
  await expect.poll(() => spanOf(timeline)).toBeGreaterThan(1);
  const all = await spanOf(timeline);
  const box = await timeline.boundingBox();
  if (!box) throw new Error('the timeline has a place');
  await page.mouse.move(box.x + box.width * 0.9, box.y + 30);
  for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -240);
  await expect.poll(() => spanOf(timeline)).toBeLessThan(all / 2);
  await expect(timeline).toHaveAttribute('data-bars', '1');

  await timeline.focus();
  const near = await spanOf(timeline);
  await page.keyboard.press('w');
  await expect.poll(() => spanOf(timeline)).toBeLessThan(near);
  await page.keyboard.press('s');
  await expect.poll(() => spanOf(timeline)).toBeCloseTo(near, 3);
  const from = Number(await timeline.getAttribute('data-from'));
  await page.keyboard.press('a');
  await expect
    .poll(async () => Number(await timeline.getAttribute('data-from')))
    .toBeLessThan(from);
  await page.keyboard.press('0');
  await expect.poll(() => spanOf(timeline)).toBeCloseTo(all, 3);
  await expect(timeline).toHaveAttribute('data-bars', '2');

  // The right edge of the brush, drawn to the middle.
  const map = await page.getByRole('img', { name: 'Overview of the timeline' }).boundingBox();
  if (!map) throw new Error('the overview has a place');
  await page.mouse.move(map.x + map.width - 2, map.y + map.height / 2);
  await page.mouse.down();
  await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => spanOf(timeline)).toBeLessThan(all * 0.6);
  await page.getByRole('button', { name: 'Show everything (0)' }).click();
  await expect.poll(() => spanOf(timeline)).toBeCloseTo(all, 3);
});

test('a click selects, and the filter is that of the other views', async ({ sightglass }) => {
  const { page } = sightglass;
  await openFile(sightglass, [...HEAD, ...ASKED]);
  const timeline = await showTimeline(sightglass);
  await expect(timeline).toHaveAttribute('data-bars', '2');
  const box = await timeline.boundingBox();
  if (!box) throw new Error('the timeline has a place');
  await page.mouse.click(box.x + box.width * 0.3, box.y + 29);
  await expect(partsOf(sightglass)).toHaveAccessibleName(/weather/);

  await sightglass.trafficFilter.fill('tool:tides');
  await expect(timeline).toHaveAttribute('data-bars', '1');
  await sightglass.trafficFilter.fill('no such words');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything', exact: true }).click();
  await expect(timelineOf(sightglass)).toHaveAttribute('data-bars', '2');
});

test('what goes on is on the timeline until it is over', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  const timeline = await showTimeline(sightglass);
  await sightglass.show('Tools');
  await sightglass.findTool('ask_elicitation');
  await sightglass.runButton.click();
  await expect(timeline).not.toHaveAttribute('data-hatched', '0');
  await timeline.focus();
  await page.keyboard.press('End');
  const said = page.getByRole('status').filter({ hasText: 'ask_elicitation' });
  await expect(said).toContainText('still going on');
  await sightglass.result.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await sightglass.result.getByRole('textbox', { name: /Email/ }).fill('ada@acme.example');
  await sightglass.confirm();
  await expect(said).toContainText(/ok, .* waiting for a person/);
});

test('many operations are drawn as a few bins', async ({ sightglass }) => {
  const calls = Array.from({ length: 20_000 }, (_, index) => {
    const id = index + 1;
    return (
      message(2 * index + 1, 'c2s', index * 10, {
        id,
        method: 'tools/call',
        params: { name: 'echo' },
      }) + message(2 * index + 2, 's2c', index * 10 + 4, { id, result: { content: [] } })
    );
  });
  await openFile(sightglass, [...HEAD, ...calls]);
  const timeline = await showTimeline(sightglass);
  await expect(sightglass.page.getByRole('list', { name: 'Lanes' })).toContainText('20,000');
  const bins = Number(await timeline.getAttribute('data-bins'));
  expect(bins).toBeGreaterThan(100);
  expect(bins).toBeLessThan(1500);
});
