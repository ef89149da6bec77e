import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { readJson } from '@/lib/json/read';
import type { Violation } from '@/lib/schema/violation';
import type { TextPlace } from '@/lib/text-place';
import type { EditorProblem } from './editor-props';
import { rangeOf } from './syntax';

/** The offset of a place, or the nearest one that there is. */
export function offsetOf(state: EditorState, { line, column }: TextPlace): number {
  const found = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  return Math.min(found.from + Math.max(0, column - 1), found.to);
}

/** Returns problems from another check as diagnostics, at their places in the text. */
export function diagnosticsOf(
  state: EditorState,
  problems: readonly EditorProblem[],
): Diagnostic[] {
  return problems.map((problem) => {
    const from = offsetOf(state, problem);
    const word = /^[\w.$-]+|^"[^"\n]*"/.exec(state.sliceDoc(from, from + 200))?.[0].length ?? 1;
    return {
      from,
      to: Math.min(from + word, state.doc.length),
      severity: problem.severity,
      message: problem.message,
    };
  });
}

/** Returns syntax errors, or the violations of the schema where the text is JSON. */
export function diagnose(state: EditorState, violations: readonly Violation[]): Diagnostic[] {
  const text = state.doc.toString();
  if (text.trim() === '') return [];
  const reading = readJson(text);
  if ('problem' in reading) {
    const { position, message } = reading.problem;
    const from = Math.max(0, Math.min(position, text.length - 1));
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message }];
  }
  return violations.map(({ pointer, message, sentence, missing }) => ({
    ...rangeOf(state, pointer),
    severity: 'warning' as const,
    message: missing ? sentence : message,
  }));
}
