import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome'];
const USUAL_PLACE = '/usr/bin/chromium';

/**
 * The browser that is installed here: the one that `SIGHTGLASS_CHROMIUM` or `CHROMIUM` names,
 * else one on the path. None is downloaded.
 */
export function findBrowser(): string {
  const named = process.env.SIGHTGLASS_CHROMIUM || process.env.CHROMIUM;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const name of NAMES) {
    for (const folder of folders) {
      const program = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (existsSync(program)) return program;
    }
  }
  return USUAL_PLACE;
}
