import { attempt } from '@/lib/attempt';
import { type ExactValue, parseExact } from './exact';

/** A syntax error of a text, with its place. */
interface SyntaxProblem {
  /** Characters from the beginning. */
  position: number;
  message: string;
}

/** Tells whether a text is JSON. */
export function isJson(text: string): boolean {
  return attempt(() => JSON.parse(text)) !== undefined;
}

/** Reads JSON, or says where it stops being JSON. Engines differ in that; this does not. */
export function readJson(text: string): { value: ExactValue } | { problem: SyntaxProblem } {
  try {
    return { value: parseExact(text) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const position = Number(/at position (\d+)/.exec(said)?.[1] ?? text.length);
    const message = said.replace(/,? ?at position \d+/, '').trim();
    return { problem: { position, message: message.endsWith('.') ? message : `${message}.` } };
  }
}
