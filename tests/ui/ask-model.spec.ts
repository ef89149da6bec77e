import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/sightglass';

const KEY = 'sk-test-0123456789abcdef';

/** An endpoint that calls the tool `echo`, or gives a reason where it may call none. */
let endpoint: Server;
const asked: { path: string; key: string | undefined; body: { tools: unknown[] } }[] = [];

test.beforeAll(async () => {
  endpoint = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = JSON.parse(text);
      const key = request.headers['x-api-key'];
      asked.push({ path: request.url ?? '', key: key?.toString(), body });
      response.setHeader('content-type', 'application/json');
      if (request.url?.endsWith('count_tokens')) {
        response.end(JSON.stringify({ input_tokens: body.tools ? 1242 : 8 }));
        return;
      }
      const content =
        body.tool_choice?.type === 'none'
          ? [{ type: 'text', text: 'The description of add does not speak of greetings.' }]
          : [
              { type: 'text', text: 'I greet.' },
              { type: 'tool_use', id: '1', name: 'mcp__demo__echo', input: { message: 'Hello' } },
              { type: 'tool_use', id: '2', name: 'delete_all', input: {} },
            ];
      response.end(JSON.stringify({ model: 'claude-small-1', stop_reason: 'tool_use', content }));
    });
  });
  await new Promise<void>((done) => endpoint.listen(0, '127.0.0.1', done));
});

test.afterAll(() => {
  endpoint.close();
});

test('a model is set up, asked, and its call is opened in the form of the tool', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  const { port } = endpoint.address() as AddressInfo;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('In clients');
  await page.getByRole('radio', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('No model is set up')).toBeVisible();
  await page.getByRole('button', { name: 'Open settings' }).click();
  const settings = sightglass.dialog('Settings');
  await settings.getByRole('button', { name: 'Add model…' }).click();
  await settings.getByRole('textbox', { name: 'Name', exact: true }).fill('Small');
  await settings.getByRole('textbox', { name: 'Model', exact: true }).fill('claude-small');
  await settings.getByRole('textbox', { name: 'Address' }).fill('http://192.168.0.1');
  await settings.getByLabel('Key', { exact: true }).fill(KEY);
  await settings.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(settings.getByRole('alert')).toContainText('has to be https://');
  await settings.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${port}`);
  await settings.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(settings.getByRole('list', { name: 'Models' })).toContainText('key kept');
  await settings.getByRole('button', { name: 'Done' }).click();
  expect(asked).toEqual([]);

  await page.getByRole('button', { name: 'Count tokens' }).click();
  await expect(page.getByText('1,234 tokens by the provider’s own count')).toBeVisible();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Greet me.');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const call = page.getByRole('article', { name: 'Call of mcp__demo__echo' });
  await expect(call).toContainText('"message": "Hello"');
  const madeUp = page.getByRole('article', { name: 'Call of delete_all' });
  await expect(madeUp).toContainText('No tool of the list is called delete_all.');
  await expect(madeUp.getByRole('button')).toHaveCount(0);
  expect(asked.at(-1)?.key).toBe(KEY);
  expect(asked.at(-1)?.body.tools.length).toBeGreaterThan(50);
  await page.getByRole('textbox', { name: 'The tool that you expected' }).fill('mcp__demo__add');
  await page.getByRole('button', { name: 'Why not?' }).click();
  await expect(page.getByText('does not speak of greetings')).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  await call.getByRole('button', { name: 'Open this call' }).click();
  await expect(page.getByRole('heading', { name: 'echo', exact: true })).toBeVisible();
  await expect(result).not.toContainText('Done in');
  await sightglass.runButton.click();
  await expect(result).toContainText('Hello');
});
