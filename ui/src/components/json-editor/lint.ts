import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { type ExactValue, parseExact } from '@/lib/json/exact';
import type { SchemaChecker } from '@/lib/schema/validate';
import { rangeOf } from './syntax';

/** What is wrong with a text, and where. */
export interface SyntaxProblem {
  /** In characters from the beginning. */
  position: number;
  message: string;
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

/** Syntax errors, and violations of the schema once the text is JSON. */
export function diagnose(state: EditorState, checker: SchemaChecker | undefined): Diagnostic[] {
  const text = state.doc.toString();
  if (text.trim() === '') return [];
  const reading = readJson(text);
  if ('problem' in reading) {
    const { position, message } = reading.problem;
    const from = Math.max(0, Math.min(position, text.length - 1));
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message }];
  }
  return (checker?.check(reading.value) ?? []).map(({ pointer, message, missing }) => ({
    ...rangeOf(state, pointer),
    severity: 'warning' as const,
    message: missing ? `${pointer.slice(1)} is required.` : message,
  }));
}
