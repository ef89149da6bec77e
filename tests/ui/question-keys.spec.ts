import type { Locator } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

/** Milliseconds for which a question takes no key that answers it. */
const GUARD_TIME = 500;

/** Milliseconds of a frame. */
const FRAME = 16;

/**
 * Runs a tool that asks, with the clock of the page standing still from then on. It moves by a frame
 * at a time until the question is drawn.
 */
async function ask(
  sightglass: Sightglass,
  tool: string,
  {
    prepare,
    run,
    drawn,
  }: { prepare?: () => Promise<void>; run: () => Promise<void>; drawn: Locator },
): Promise<void> {
  const { page } = sightglass;
  await page.clock.install();
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool(tool);
  await prepare?.();
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 60_000);
  await run();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(FRAME);
        return drawn.count();
      },
      { intervals: [20], timeout: 10_000 },
    )
    .toBeGreaterThan(0);
}

/** Returns the number of questions that the backend waits for. */
async function open(sightglass: Sightglass): Promise<number> {
  const { questions } = (await sightglass.invoke('get_snapshot')) as { questions: unknown[] };
  return questions.length;
}

function reply({ result }: Sightglass): Locator {
  return result.getByRole('textbox', { name: 'Text 1' });
}

test('the key that ran a call does not answer what the call asks', async ({ sightglass }) => {
  const { page, result } = sightglass;
  const prompt = page.getByRole('textbox', { name: /Prompt/ });
  await ask(sightglass, 'ask_for_sampling', {
    prepare: () => prompt.fill('Say hello'),
    run: () => prompt.press('Control+Enter'),
    drawn: reply(sightglass),
  });
  // Nothing was pressed since, so the question has the focus; but the key is dead.
  await expect(reply(sightglass)).toBeFocused();
  await page.keyboard.press('Control+Enter');
  expect(await open(sightglass)).toBe(1);
  // What is typed at once is not lost.
  await page.keyboard.type('Hello');
  await expect(reply(sightglass)).toHaveValue('Hello');
  await page.keyboard.press('Control+Enter');
  expect(await open(sightglass)).toBe(1);
  await page.clock.runFor(GUARD_TIME);
  await page.keyboard.press('Control+Enter');
  await page.clock.resume();
  await expect(result).toContainText('Done in');
  await expect(result).toContainText('Hello');
});

test('an empty reply is not sent by any key', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await ask(sightglass, 'ask_for_sampling', {
    prepare: () => page.getByRole('textbox', { name: /Prompt/ }).fill('Say hello'),
    run: () => sightglass.runButton.click(),
    drawn: reply(sightglass),
  });
  await page.clock.runFor(GUARD_TIME);
  await expect(result.getByRole('button', { name: /^Accept/ })).toBeDisabled();
  await expect(result).toContainText('The reply is empty.');
  await reply(sightglass).focus();
  for (const key of ['Control+Enter', 'Control+s']) await page.keyboard.press(key);
  expect(await open(sightglass)).toBe(1);
  await reply(sightglass).fill('  ');
  await page.keyboard.press('Control+Enter');
  expect(await open(sightglass)).toBe(1);
  await reply(sightglass).fill('written');
  await page.keyboard.press('Control+Enter');
  await page.clock.resume();
  await expect(result).toContainText('written');
});

test('a question leaves the focus where somebody types, and is answered from within alone', async ({
  sightglass,
}) => {
  const { page, result, trafficFilter } = sightglass;
  const answer = result.getByRole('textbox', { name: /Answer/ });
  await ask(sightglass, 'background_work', {
    prepare: async () => {
      await page.getByRole('radio', { name: 'JSON', exact: true }).click();
      const editor = page.getByRole('textbox', { name: 'Arguments' });
      await editor.fill('{"steps":4,"ms":4000,"ask":true}');
    },
    run: async () => {
      await sightglass.runButton.click();
      // The question comes when half of the work is done.
      await page.clock.runFor(FRAME);
      await trafficFilter.focus();
      await page.keyboard.type('t');
    },
    drawn: answer,
  });
  await expect(trafficFilter).toBeFocused();
  await page.keyboard.type('ool:x');
  await expect(trafficFilter).toHaveValue('tool:x');
  await page.clock.runFor(GUARD_TIME);
  await answer.fill('left');
  for (const place of [
    trafficFilter,
    sightglass.server('Demo'),
    sightglass.tool('background_work'),
  ]) {
    await place.focus();
    await page.keyboard.press('Control+Enter');
    expect(await open(sightglass)).toBe(1);
  }
  await page.keyboard.press('Control+Shift+r');
  await expect(answer).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await page.clock.resume();
  await expect(result).toContainText('"left"');
});

test('Enter and Space on a button of a question wait for half a second, too', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  const decline = result.getByRole('button', { name: 'Decline' });
  await ask(sightglass, 'ask_elicitation', {
    run: () => sightglass.runButton.click(),
    drawn: decline,
  });
  await decline.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  expect(await open(sightglass)).toBe(1);
  // A key that is still held by then does not count either.
  await page.keyboard.down('Enter');
  await page.clock.runFor(GUARD_TIME);
  await page.keyboard.down('Enter');
  expect(await open(sightglass)).toBe(1);
  await page.keyboard.up('Enter');
  expect(await open(sightglass)).toBe(1);
  await page.keyboard.press('Enter');
  await page.clock.resume();
  await expect(result).toContainText('"decline"');
});
