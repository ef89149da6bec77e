import { CHARACTERS, MAX_BLANKS } from './characters';

/**
 * Characters that change what a text looks like without being seen: control characters, zero-width
 * characters, marks of the writing direction, letters without ink. The backend has the same ones
 * and says which they are.
 */
const INVISIBLE = new RegExp(`[${CHARACTERS.invisible}]`, 'gu');
/** The same, and blanks that are no space. */
const UNCERTAIN = new RegExp(`[${CHARACTERS.invisible}${CHARACTERS.otherBlank}]`, 'gu');
const PICTOGRAPH = new RegExp(`[${CHARACTERS.pictograph}]`, 'u');
const SKIN_TONE = new RegExp(`[${CHARACTERS.skinTone}]`, 'u');

const TOO_MANY_BLANKS = new RegExp(` {${MAX_BLANKS + 1},}|\\t{${MAX_BLANKS + 1},}`, 'g');

/** Asks for the coloured form of the symbol before it. */
const EMOJI_PRESENTATION = '\ufe0f';
/** Joins two emoji to one. */
const ZERO_WIDTH_JOINER = '\u200d';
/** Makes a key of the digit before it. */
const KEYCAP = '\u20e3';

/**
 * Replaces characters that are not seen, or that reorder others, with escapes such as `\u{202e}`.
 * The result is one line, so a name cannot pose as several rows. The parts of an emoji stay.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character, at: number) =>
    isPartOfEmoji(character, at, text) ? character : escaped(character),
  );
}

/** Like {@link visibleText}, with line breaks and tabs kept. */
export function visibleLines(text: string): string {
  return withLayout(text, visibleText);
}

/**
 * Shows all that a text holds, for a user who agrees to it: every invisible character and every
 * blank but the space as an escape, those within emoji too, and many spaces in a row as `␣×400`.
 * The result is one line.
 */
export function entirelyVisible(text: string): string {
  return counted(text.replace(UNCERTAIN, escaped));
}

/** Like {@link entirelyVisible}, with line breaks and tabs kept; many tabs are `⇥×400`. */
export function entirelyVisibleLines(text: string): string {
  return counted(withLayout(text, (part) => part.replace(UNCERTAIN, escaped)));
}

function withLayout(text: string, show: (part: string) => string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(show).join('\t'))
    .join('\n');
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function counted(text: string): string {
  return text.replace(
    TOO_MANY_BLANKS,
    (blanks) => `${blanks.startsWith(' ') ? '␣' : '⇥'}×${blanks.length}`,
  );
}

/**
 * Tells the parts of an emoji that are not seen by themselves (Unicode Technical Standard 51, 1.4.5
 * and 1.4.9).
 */
function isPartOfEmoji(character: string, at: number, text: string): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
  const [after = ''] = text.slice(at + character.length, at + character.length + 2);
  if (character === EMOJI_PRESENTATION) {
    return PICTOGRAPH.test(before) || (after === KEYCAP && /[0-9#*]/.test(before));
  }
  return (
    character === ZERO_WIDTH_JOINER &&
    (before === EMOJI_PRESENTATION || PICTOGRAPH.test(before) || SKIN_TONE.test(before)) &&
    PICTOGRAPH.test(after)
  );
}
