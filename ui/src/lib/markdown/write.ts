import { visibleText } from '@/lib/visible-text';

/**
 * Writes a text as a span of code, on one line (CommonMark 0.31, section 6.1): longer than any run of
 * backticks in it, with what is not seen shown as escapes. `model/src/markdown.rs` writes the
 * same.
 */
export function codeSpan(text: string): string {
  const shown = visibleText(text);
  const longest = shown.split(/[^`]+/).reduce((most, run) => Math.max(most, run.length), 0);
  const marks = '`'.repeat(longest + 1);
  return `${marks} ${shown} ${marks}`;
}
