import { lazy, Suspense } from 'react';

export interface JsonEditorProps {
  /** Its accessible name. */
  label: string;
  value: string;
  onChange?(value: string): void;
  /** A JSON Schema, as JSON: checked while typing, and completed from. */
  schema?: string;
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
