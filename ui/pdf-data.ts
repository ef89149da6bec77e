import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Folders of `pdfjs-dist` that a document may need a file of: those files, and their licences. */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  cmaps: /^LICENSE$|\.bcmap$/,
  standard_fonts: /^LICENSE_|\.(pfb|ttf)$/,
  // Images of the format JPEG 2000 are read by a script: the policy of the window allows no other.
  wasm: /^LICENSE_(PDFJS_)?OPENJPEG$|^openjpeg_nowasm_fallback\.js$/,
};

/** Lays the character maps and fonts of the PDF reader beside the page, so that none is fetched. */
export function pdfData(): Plugin {
  const folder = (name: string) =>
    fileURLToPath(new URL(`./node_modules/pdfjs-dist/${name}/`, import.meta.url));
  return {
    name: 'sightglass-pdf-data',
    generateBundle() {
      for (const [name, wanted] of Object.entries(FOLDERS)) {
        for (const file of readdirSync(folder(name)).filter((found) => wanted.test(found))) {
          const source = readFileSync(folder(name) + file);
          this.emitFile({ type: 'asset', fileName: `pdf/${name}/${file}`, source });
        }
      }
    },
  };
}
