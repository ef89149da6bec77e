#!/usr/bin/env node
/*
 * A browser with a user in front of it: opens the address that it is given, signs in with the
 * login in SIGHTGLASS_TEST_LOGIN ("ada"), agrees to what it is asked, and closes once it has been
 * sent back to the program that opened it. What it does is written to SIGHTGLASS_TEST_BROWSER_LOG.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../ui/package.json', import.meta.url));
const { chromium } = require('@playwright/test');

const address = process.argv[2];
const login = process.env.SIGHTGLASS_TEST_LOGIN ?? 'ada';
const log = process.env.SIGHTGLASS_TEST_BROWSER_LOG;
const PAGE_TIMEOUT = 30_000;

function say(words) {
  if (log) appendFileSync(log, `${words}\n`);
}

const named = process.env.SIGHTGLASS_CHROMIUM || process.env.CHROMIUM;
const executablePath =
  named || ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((place) => existsSync(place));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT);
  await page.goto(address);
  const isBack = (url) => url.pathname === '/callback';
  while (!isBack(new URL(page.url()))) {
    const field = page.locator('input[name=login]');
    if ((await field.count()) > 0) {
      say('signs in');
      await field.fill(login);
      await page.locator('input[name=password]').fill('password');
    } else {
      say('agrees');
    }
    const before = page.url();
    await Promise.all([
      page.waitForURL((url) => url.href !== before),
      page.locator('button[type=submit]').click(),
    ]);
    await page.waitForLoadState();
  }
  say(`was told: ${(await page.locator('body').innerText()).replaceAll('\n', ' ')}`);
} catch (error) {
  say(`failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
}
