import type { Page } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

async function ask(sightglass: Sightglass, tool: string): Promise<void> {
  await sightglass.show('Tools');
  await sightglass.findTool(tool);
  await sightglass.runButton.click();
}

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
});

test('a rule made of a question answers the next one, and its name stands at the result', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await ask(sightglass, 'ask_elicitation');
  await expect(result).toContainText(/The call has .+ of its time left/);
  await result.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await result.getByRole('textbox', { name: /Email/ }).fill('ada@acme.example');
  await result.getByRole('button', { name: 'Make a rule…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rules that answer questions' });
  await expect(dialog.getByRole('textbox', { name: 'Rules' })).toContainText('"name" = "Ada"');
  await expect(dialog.getByRole('row', { name: /introduce yourself/ })).toContainText(
    'accept with',
  );
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await result.getByRole('button', { name: 'Decline' }).click();
  await expect(result).toContainText('"decline"');
  await sightglass.runButton.click();
  await expect(result).toContainText('ada@acme.example');
  await expect(result).toContainText('1 question answered by the rule “demo: Please introduce');
  await sightglass.settings('Answers and folders');
  const answered = page.getByRole('list', { name: 'Answered by rules' }).getByRole('listitem');
  await expect(answered).toHaveCount(1);
  await expect(answered).toContainText('Please introduce yourself.');
  const rules = page.getByRole('table', { name: 'Rules that answer questions' });
  await expect(
    rules
      .getByRole('row', { name: /introduce/ })
      .getByRole('cell')
      .last(),
  ).toHaveText('1');
});

test('a file that another program breaks answers nothing, and says in which line', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.run('Edit the rules');
  const dialog = page.getByRole('dialog', { name: 'Rules that answer questions' });
  const text = dialog.getByRole('textbox', { name: 'Rules' });
  await text.fill('[[rule]]\nname = "a"\nserver = "*"\nkind = "form"\nthen = "agree"\n');
  await expect(dialog).toContainText('5:8');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await text.fill('[[rule]]\nname = "a"\nserver = "*"\nkind = "form"\nthen = "ask"\n');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // Only what was saved can be broken by another program.
  await expect(dialog).toHaveCount(0);
  await sightglass.writeFile('data/rules.toml', '[[rule]]\nname = "a"\n');
  await sightglass.settings('Answers and folders');
  await expect(page.getByText(/none of them answers. Line 1/)).toBeVisible();
  await ask(sightglass, 'ask_elicitation');
  await expect(sightglass.result).toContainText('Waiting for you');
});

test('a reply to sampling uses the tool that the server offers, and the next turn has its result', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await ask(sightglass, 'ask_for_sampling_with_tools');
  await sightglass.settings('Answers and folders');
  await expect(page.getByRole('list', { name: 'Tools offered' })).toContainText('get_weather');
  await page.getByRole('textbox', { name: 'Text 1' }).fill('I look it up.');
  await page.getByRole('button', { name: 'Use of a tool' }).click();
  await page.getByRole('menuitem', { name: 'get_weather' }).click();
  await page.getByRole('textbox', { name: /city/i }).fill('Oslo');
  await expect(page.getByRole('button', { name: /Stop reason/ })).toContainText('toolUse');
  await sightglass.confirm();
  await expect(page.getByText('It is sunny in Oslo.')).toBeVisible();
  await expect(page.getByText('Result of call_1')).toBeVisible();
  await page.getByRole('textbox', { name: 'Text 1' }).fill('Sunny in Oslo.');
  await sightglass.confirm();
  await sightglass.show('Tools');
  await expect(result).toContainText('Sunny in Oslo.');
});

test('a reply that the specification does not allow is refused, and stays to be mended', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await ask(sightglass, 'ask_for_sampling');
  await sightglass.settings('Answers and folders');
  await page.getByRole('radio', { name: 'JSON', exact: true }).click();
  await replyEditor(page).fill('{"role":"assistant","model":"m","content":{"type":"video"}}');
  await page.getByRole('button', { name: /^Accept/ }).click();
  await expect(page.getByText(/video cannot stand in an answer/)).toBeVisible();
  await expect(replyEditor(page)).toContainText('video');
  await expect(page.getByRole('radio', { name: 'Form', exact: true })).toBeDisabled();
});

test('a picture is put into a reply, and a file that is none is not', async ({ sightglass }) => {
  const { page } = sightglass;
  await ask(sightglass, 'ask_for_sampling');
  await sightglass.settings('Answers and folders');
  const choose = async (name: string, mimeType: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Picture…' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer: Buffer.from(PIXEL, 'base64') });
  };
  await choose('notes.txt', 'text/plain');
  await expect(page.getByText('notes.txt is no picture file.')).toBeVisible();
  await choose('dot.png', 'image/png');
  await expect(page.getByRole('img', { name: 'Picture 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Text 1' }).click();
  await page.getByRole('button', { name: /^Accept/ }).click();
  await sightglass.show('Tools');
  await expect(sightglass.result).toContainText('image/png');
});

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function replyEditor(page: Page) {
  return page.getByRole('textbox', { name: 'Answer' });
}
