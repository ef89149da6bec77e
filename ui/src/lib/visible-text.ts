/**
 * Characters that change what a text looks like without being seen: control characters (C0, C1),
 * zero-width characters, marks and overrides of the writing direction, invisible operators, line
 * and paragraph separators, variation tags. `model/src/visible.rs` has the same list.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be found.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Replaces characters that are not seen, or that reorder others, with escapes such as `\u{202e}`.
 * The result is one line, so a name cannot pose as several rows.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Like {@link visibleText}, with line breaks and tabs kept. */
export function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visibleText).join('\t'))
    .join('\n');
}
