import type { Plugin } from 'vite';

/** A character that a text of one byte a character has no room for. */
const WIDE = /[^\0-\u{ff}]/gu;

/** Text in which an escape stands for itself. */
const RAW = /String\.raw`[^`]*[^\0-\u{ff}]/u;

/**
 * Writes the few wide characters of the code as escapes. WebKit keeps the code for as long as it can
 * run, in two bytes a character where one of them needs so: a single glyph doubles the memory of a
 * file, and reading it takes longer.
 */
export function oneByteCode(): Plugin {
  return {
    name: 'sightglass-one-byte-code',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.code = withEscapes(output.code);
      }
    },
  };
}

function withEscapes(code: string): string {
  if (RAW.test(code)) throw new Error('a raw text has a character that would be escaped');
  return code.replace(WIDE, (wide) =>
    Array.from(
      { length: wide.length },
      (_, index) => `\\u${wide.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
