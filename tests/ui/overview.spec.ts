import { expect, test } from './support/sightglass';

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('connections');
});

test('a connection that was lost says when it comes back, and what waits for it', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.select('lost');
  const panel = page.getByRole('region', { name: 'Reconnecting' });
  await expect(panel).toContainText('connection refused');
  await expect(sightglass.phase).toHaveText('Reconnecting: connection refused');
  await expect(
    page.getByRole('region', { name: 'The last try: connection refused' }),
  ).toBeVisible();
  await expect(panel).toContainText(/[45] requests wait for the connection/);
  await expect(page.getByRole('button', { name: 'Stop trying' })).toHaveCount(1);
  await sightglass.cut('lost', false);
  await page.getByRole('button', { name: 'Reconnect now' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
  await expect(panel).toHaveCount(0);
  await sightglass.select('returning');
  await expect(panel).toContainText('Try 1 is under way.');
});

test('the ways that were tried are told, and what is remembered of them can be forgotten', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.select('older');
  await sightglass.showConnection();
  const ways = page.getByRole('region', { name: 'Ways tried' });
  await expect(ways.getByRole('listitem')).toContainText([
    'server/discover was answered with HTTP 404',
    'initialize was answered with HTTP 404',
    'GET opened',
    'agreed on',
  ]);
  await expect(ways).toContainText('Next time: SSE, legacy (up to 2025-11-25) first');
  await ways.getByRole('button', { name: 'Try all again' }).click();
  await expect(ways).not.toContainText('Next time');
});

test('a slow start shows what the program says, and how long it may take', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.select('cold');
  await expect(page.getByRole('region', { name: 'From stderr' })).toContainText('puppeteer');
  await expect(page.getByRole('region', { name: 'Connecting' })).toContainText(
    'at most 2 m 00 s (default for npx',
  );
});

test('what a phase exchanged leads to it in the traffic', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.select('rich');
  await sightglass.showConnection();
  const phases = page.getByRole('region', { name: 'Phases' });
  await phases.getByRole('button', { name: 'tools/list' }).click();
  await expect(sightglass.trafficFilter).toHaveValue('server:rich method:tools/list');
  await expect(sightglass.trafficRow('tools/list')).toHaveCount(1);
});

test('a server shows its own icon, and loads none from elsewhere', async ({ sightglass }) => {
  const { page } = sightglass;
  // Two pings without an answer take a minute.
  await sightglass.script((command, answer) => {
    interface Status {
      health: object | null;
    }
    type Fact = { fact: { type: string; event?: { server?: string; status?: Status } } };
    const health = { roundTrip: 41.2, at: Date.now() - 90_000, missed: 2 };
    if (command === 'get_snapshot') {
      const { servers } = answer as { servers: { name: string; status: Status }[] };
      for (const { name, status } of servers) if (name === 'rich') status.health = health;
    }
    if (command === 'channel' && Array.isArray(answer)) {
      for (const { fact } of answer as Fact[]) {
        if (fact.event?.server === 'mcp-json:rich' && fact.event.status) {
          fact.event.status.health = health;
        }
      }
    }
    return answer;
  });
  await sightglass.open('connections');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await sightglass.select('rich');
  await sightglass.showConnection();
  await expect(page.getByRole('img', { name: 'Icon of rich-server' })).toBeVisible();
  await expect(
    page.getByText('https://maps.example.com/icon-dark.png', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('No answer to the last 2 pings.')).toBeVisible();
  expect(asked.filter((url) => url.includes('maps.example.com'))).toEqual([]);
});

test('both sides’ handshake is shown as it crossed the wire', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.select('rich');
  await sightglass.showConnection();
  const handshake = page.getByRole('region', { name: 'Handshake', exact: true });
  await expect(handshake).toContainText('"serverInfo"');
  await handshake.getByRole('radio', { name: 'Request' }).click();
  await expect(handshake).toContainText('"initialize"');
  // Its lines are drawn as they come into view.
  await handshake.getByRole('region', { name: 'Handshake request' }).hover();
  await page.mouse.wheel(0, 2000);
  await expect(handshake).toContainText('"clientInfo"');
});

test('the doctor examines step by step, can be stopped, and says what it found', async ({
  sightglass,
}) => {
  await sightglass.select('cold');
  await sightglass.show('Settings');
  const doctor = await sightglass.examine();
  await expect(doctor).toContainText('Checking…');
  await doctor.getByRole('button', { name: 'Stop' }).click();
  await expect(doctor).toContainText('Stopped before the end.');
  await sightglass.select('rich');
  await sightglass.examine();
  await expect(doctor).toContainText('All checks passed.');
  await expect(doctor).toContainText('Protocol version');

  await sightglass.select('untrusted');
  await sightglass.examine();
  await expect(doctor).toContainText('Failed: self-signed certificate');
  await expect(doctor.getByRole('button', { name: 'Accept this certificate…' })).toBeVisible();
});

test.describe('in a small window', () => {
  test.use({ viewport: { width: 720, height: 480 } });

  test('no overview scrolls sideways', async ({ sightglass }) => {
    const { page } = sightglass;
    for (const server of ['lost', 'returning', 'cold', 'older', 'rich', 'untrusted']) {
      await sightglass.select(server);
      const isCut = await page
        .getByRole('tabpanel')
        .first()
        .evaluate((panel) =>
          [panel, ...panel.querySelectorAll('section, li, dl')]
            // A payload scrolls by itself.
            .filter((part) => getComputedStyle(part).overflowX === 'visible' || part === panel)
            .some((part) => part.scrollWidth > part.clientWidth + 1),
        );
      expect(isCut, server).toBe(false);
    }
  });
});

test('the doctor finds the path at which a server answers, and puts it into the entry', async ({
  sightglass,
}) => {
  const { servers } = (await sightglass.invoke('get_snapshot')) as {
    servers: { name: string; summary: string }[];
  };
  const address = servers.find(({ name }) => name === 'older')?.summary ?? '';
  const url = new URL('/elsewhere', address).href;
  await sightglass.writeFile(
    'home/.chimera/mcp.json',
    JSON.stringify({ mcpServers: { astray: { url } } }),
  );
  await sightglass.select('astray');
  await sightglass.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await sightglass.page.getByRole('button', { name: 'Try the common paths' }).click();
  const doctor = sightglass.page.getByRole('region', { name: 'Connection', exact: true });
  await expect(doctor).toContainText(/\/(mcp|sse) answers as MCP/);
  await doctor.getByRole('button', { name: 'Use it' }).click();
  const dialog = sightglass.dialog(/^Use http/);
  await expect(dialog).toContainText(/\/(mcp|sse)"/);
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await expect(sightglass.phase).toHaveText('Ready');
});

test('the name of a fact stands beside the first line of a command that wraps', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.select('rich');
  await sightglass.showConnection();
  const name = page.locator('dt').filter({ hasText: /^Command$/ });
  const fact = page.locator('dl > div').filter({ has: name }).first();
  const lines = await fact.evaluate((element) => {
    const value = element.querySelector('dd');
    // Narrower than the first word.
    if (value) value.style.maxWidth = '8px';
    const linesOf = (selector: string) => {
      const range = document.createRange();
      const part = element.querySelector(selector);
      if (part) range.selectNodeContents(part);
      return Array.from(range.getClientRects(), ({ bottom }) => bottom);
    };
    return { name: linesOf('dt'), word: linesOf('dd code > span') };
  });
  expect(lines.word.length).toBeGreaterThan(1);
  expect(Math.abs((lines.name[0] ?? 0) - (lines.word[0] ?? 0))).toBeLessThan(8);
});

test('the overview says what there is and what one does next, and folds the rest', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.select('rich');
  const verdict = page.getByRole('region', { name: /^Works · \d+ tools?/ });
  await expect(verdict).toContainText(/≈[\d,]+ tokens \((< 1|\d+) % of 200k\)/);
  await expect(page.getByRole('region', { name: 'Handshake', exact: true })).toHaveCount(0);
  await verdict.getByRole('button', { name: 'Copy into another client' }).click();
  await expect(sightglass.dialog('Copy rich to other clients')).toBeVisible();
  await page.keyboard.press('Escape');
  await verdict.getByRole('button', { name: 'Try a tool' }).click();
  await expect(sightglass.toolList).toBeVisible();
});
