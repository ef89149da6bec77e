import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './support/browser';

/*
 * The built UI in a browser, on the real commands behind the browser host (`tests/browser_host`):
 * `cargo xtask test browser`, or `npm run build`, `npm run build:browser`, then `npm run e2e`, in
 * `ui`. The packages are those of `ui`, see `paths` in tsconfig.json.
 */
export default defineConfig({
  testDir: '.',
  globalSetup: './support/browser-host.ts',
  outputDir: '../results/browser',
  reporter: 'list',
  // Each page has an inspector of its own, so tests do not meet.
  workers: availableParallelism(),
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  // axe takes its time, twice, on a machine that does other things too.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  use: {
    // A new renderer for each test takes longer than most tests. What a page keeps is cleared between
    // two of them: storage, routes, scripts, clock; their inspectors are the host's, one for each page.
    reuseContext: true,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // A page whose answer a test rewrites counts as one from the internet, and the browser host
    // listens on loopback.
    permissions: ['local-network-access', 'clipboard-read', 'clipboard-write'],
    // Half-faded text has no contrast to measure.
    contextOptions: { reducedMotion: 'reduce' },
    colorScheme: 'light',
    launchOptions: { executablePath: findBrowser(), args: ['--no-sandbox'] },
  },
});
