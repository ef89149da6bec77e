import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const UI = join(__dirname, '../../../ui');
const BUILT = join(__dirname, '../../../target/debug');
const PROGRAM = process.env.SIGHTGLASS_BROWSER_HOST ?? join(BUILT, 'sightglass-browser-host');

/** Address of the browser host that runs, with its token. */
export function hostAddress(): string {
  const address = process.env.SIGHTGLASS_BROWSER_HOST_ADDRESS;
  if (!address) throw new Error('the browser host does not run');
  return address;
}

/** Address at which the built window is served. */
export function windowAddress(): string {
  const address = process.env.SIGHTGLASS_WINDOW_ADDRESS;
  if (!address) throw new Error('the window is not served');
  return address;
}

/**
 * Starts the browser host and serves the window before the first test, and ends both after the
 * last. Each takes a free port, so that two clones of the repository do not meet.
 */
export default async function start(): Promise<() => Promise<void>> {
  const endHost = await startBrowserHost();
  const endWindow = await serveWindow();
  return async () => {
    await Promise.all([endHost(), endWindow()]);
  };
}

/** Serves the built window under its own policy. */
async function serveWindow(): Promise<() => Promise<void>> {
  const { preview } = createRequire(join(UI, 'package.json'))('vite') as typeof import('vite');
  const server = await preview({
    root: UI,
    logLevel: 'warn',
    preview: {
      host: '127.0.0.1',
      port: 0,
      headers: { 'content-security-policy': windowPolicy() },
    },
  });
  const address = server.httpServer.address();
  if (!address || typeof address === 'string') throw new Error('the window has no port');
  process.env.SIGHTGLASS_WINDOW_ADDRESS = `http://127.0.0.1:${address.port}`;
  return () => server.close();
}

/** The content-security policy of the real window, and in place of its IPC the browser host. */
function windowPolicy(): string {
  const file = join(UI, '../src-tauri/tauri.conf.json');
  const { app } = JSON.parse(readFileSync(file, 'utf8')) as {
    app: { security: { csp: Record<string, string> } };
  };
  const sources = app.security.csp;
  sources['connect-src'] += ` ${new URL(hostAddress()).origin}`;
  // Tauri adds the script that stands in the page in the same way.
  const page = readFileSync(join(UI, 'dist/index.html'), 'utf8');
  for (const [, script = ''] of page.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    const hash = createHash('sha256').update(script).digest('base64');
    sources['script-src'] += ` 'sha256-${hash}'`;
  }
  return Object.entries(sources)
    .map(([directive, allowed]) => `${directive} ${allowed}`)
    .join('; ');
}

/** Starts the browser host, and tells its address. */
async function startBrowserHost(): Promise<() => Promise<void>> {
  if (!existsSync(PROGRAM)) {
    throw new Error(`${PROGRAM} is missing: run \`cargo xtask test browser\``);
  }
  const host = spawn(PROGRAM, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => host.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: host.stdout }).once('line', resolve);
    host.once('error', reject);
    host.once('exit', (code) => reject(new Error(`the browser host ended with ${code}`)));
  });
  process.env.SIGHTGLASS_BROWSER_HOST_ADDRESS = address;
  return async () => {
    // It ends with its standard input.
    host.stdin.end();
    await ended;
  };
}
