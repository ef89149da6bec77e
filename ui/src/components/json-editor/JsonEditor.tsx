import { lazy, Suspense } from 'react';

/** A place in the text, both from 1; a new object each time it is to be shown. */
export interface EditorPlace {
  line: number;
  column: number;
}

/** Something wrong with the text, at a place. */
export interface EditorProblem extends EditorPlace {
  severity: 'error' | 'warning';
  message: string;
}

export interface JsonEditorProps {
  /** Its accessible name. */
  label: string;
  value: string;
  onChange?(value: string): void;
  /** A JSON Schema, as JSON: checked while typing, and completed from. */
  schema?: string;
  /** JSON unless something else is said. */
  language?: 'json' | 'toml';
  /** What somebody else found wrong; the text is then not checked for its syntax here. */
  problems?: readonly EditorProblem[];
  /** Where to put the cursor. */
  place?: EditorPlace | null;
  /** A line that is marked, from 1. */
  marked?: number;
  readOnly?: boolean;
  lineNumbers?: boolean;
  placeholder?: string;
  /** Its height when it does not fill its place. */
  minimumLines?: number;
}

const CodeEditor = lazy(() => import('./CodeEditor'));

/**
 * An editor for JSON, or a view of it with `readOnly`. The editor itself is only loaded once
 * it is needed, for the window has to open without it.
 */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<div style={{ height: `${(props.minimumLines ?? 1) * 18 + 8}px` }} />}>
      <CodeEditor {...props} />
    </Suspense>
  );
}
