import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BUILT = join(__dirname, '../../../target/debug');
const PROGRAM = process.env.SIGHTGLASS_BROWSER_HOST ?? join(BUILT, 'sightglass-browser-host');

/** Address of the browser host that runs, with its token. */
export function hostAddress(): string {
  const address = process.env.SIGHTGLASS_BROWSER_HOST_ADDRESS;
  if (!address) throw new Error('the browser host does not run');
  return address;
}

/** Starts the browser host before the first test, and ends it after the last. */
export default async function startBrowserHost(): Promise<() => Promise<void>> {
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
