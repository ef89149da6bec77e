import type { Page } from '@playwright/test';
import { expect, type Sightglass, test } from './support/sightglass';

function resources(page: Page) {
  return page.getByRole('listbox', { name: 'Resources' });
}

async function resource(sightglass: Sightglass, name: string): Promise<void> {
  await resources(sightglass.page)
    .getByRole('option', { name: `demo://${name}` })
    .click();
}

/** Reads that the traffic shows. */
function reads(sightglass: Sightglass) {
  return sightglass.trafficRow('resources/read');
}

test.beforeEach(async ({ sightglass }) => {
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
});

test('a resource is read once it is chosen', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.show('Resources');
  // What the list opens by itself is not read.
  await expect(page.getByText('Not read yet')).toBeVisible();
  await resource(sightglass, 'readme.txt');
  await expect(result).toContainText('Done in');
  await expect(reads(sightglass)).toHaveCount(1);
  // Those that are passed are not, however long the clicks take on this machine.
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await resource(sightglass, 'guide');
  await resource(sightglass, 'table.csv');
  await resource(sightglass, 'page.html');
  await page.clock.runFor(600);
  await page.clock.resume();
  await expect(reads(sightglass)).toHaveCount(2);
  await expect(reads(sightglass).last()).toContainText('page.html');
  // By the keyboard, Enter chooses and arrows only walk.
  await resources(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.clock.runFor(600);
  await expect(reads(sightglass)).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(reads(sightglass)).toHaveCount(3);
  // A result stays, and is not asked for again.
  await resource(sightglass, 'readme.txt');
  await expect(result).toContainText('Done in');
  await page.clock.runFor(600);
  await expect(reads(sightglass)).toHaveCount(3);
});

test('a subscribed resource is read again when it changes', async ({ sightglass }) => {
  const { page } = sightglass;
  const touch = async () => {
    await sightglass.show('Tools');
    await sightglass.findTool('touch_resource');
    await sightglass.runButton.click();
    await expect(sightglass.result).toContainText('Done in');
    await sightglass.show('Resources');
  };
  await sightglass.show('Resources');
  await resource(sightglass, 'counter');
  await expect(reads(sightglass)).toHaveCount(1);
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expect(page.getByText('◉ Subscribed', { exact: true })).toBeVisible();
  await touch();
  await expect(page.getByText('1 update since the last read')).toBeVisible();
  await page.getByText('Read again on change').click();
  await expect(reads(sightglass)).toHaveCount(2);
  await expect(page.getByText('◉ Subscribed', { exact: true })).toBeVisible();
  await touch();
  await expect(reads(sightglass)).toHaveCount(3);
});

test('a prompt that needs nothing is got once it is chosen', async ({ sightglass }) => {
  const { page, result } = sightglass;
  await sightglass.show('Prompts');
  const prompts = page.getByRole('listbox', { name: 'Prompts' });
  await expect(result).toContainText('No messages yet');
  await prompts.getByRole('option', { name: /^simple\b/ }).click();
  await expect(result).toContainText('Done in');
});
