import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { readJson } from '@/lib/json/read';
import type { SchemaChecker } from '@/lib/schema/validate';
import { rangeOf } from './syntax';

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
