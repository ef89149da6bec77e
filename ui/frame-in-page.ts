import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const ENTRY = fileURLToPath(new URL('./src/app/frame-start.ts', import.meta.url));

/** A script of the page that is a file, as the build writes it. */
const SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>/g;

/**
 * Puts the frame of the window and its script into the page, and has the code of the window run
 * once that was seen: it is fetched meanwhile.
 */
export function frameInPage(): Plugin {
  let options: { target: string | false | string[]; source: string };
  return {
    name: 'sightglass-frame-in-page',
    apply: 'build',
    configResolved({ build: { target } }) {
      options = { target, source: fileURLToPath(new URL('./src', import.meta.url)) };
    },
    transformIndexHtml: {
      order: 'post',
      async handler(page) {
        const scripts = [...page.matchAll(SCRIPT)];
        if (!scripts.some(([, file = '']) => isStart(file))) {
          throw new Error('the page has no script of the window');
        }
        const fetched = page.replace(SCRIPT, (_, file: string) => {
          const mark = isStart(file) ? ' data-start' : '';
          return `<link rel="modulepreload" crossorigin href="${file}"${mark}>`;
        });
        const frame = await frameScript(options.target, options.source);
        return fetched.replace('</body>', () => `  <script>${frame}</script>\n  </body>`);
      },
    },
  };
}

function isStart(file: string): boolean {
  return file.includes('/start-');
}

/** Builds the script of the frame into one text. */
async function frameScript(target: string | false | string[], source: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: { '@': source } },
    build: {
      target,
      write: false,
      copyPublicDir: false,
      lib: { entry: ENTRY, formats: ['iife'], name: 'frame' },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('the frame was not built');
  const code = output.output[0].code.trim();
  if (/<[!/]/.test(code)) throw new Error('the frame cannot stand in a page');
  return code;
}
