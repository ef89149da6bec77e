import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const ASSETS = join(__dirname, '../../ui/dist/assets');

test('the product holds no backend for browsers', () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts) {
    const text = readFileSync(join(ASSETS, name), 'utf8');
    // Samples of the unit tests, and what stands in for the window's IPC.
    for (const word of ['postgres-mcp', '/srv/acme-web', 'unregisterCallback:', 'new WebSocket']) {
      expect(text.includes(word), `${word} in ${name}`).toBe(false);
    }
  }
});
