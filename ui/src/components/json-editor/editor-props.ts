import type { Violation } from '@/lib/schema/violation';
import type { TextPlace } from '@/lib/text-place';

/** A problem of the text, at a place. */
export interface EditorProblem extends TextPlace {
  severity: 'error' | 'warning';
  message: string;
}

/** The language of a text; YAML without colours. */
export type EditorLanguage = 'json' | 'toml' | 'yaml';

export interface JsonEditorProps {
  /** Its accessible name. */
  label: string;
  value: string;
  onChange?(value: string): void;
  /** A JSON Schema, as JSON, that is completed from. */
  schema?: string;
  /** The violations of the schema; shown at their places. */
  violations?: readonly Violation[];
  /** JSON unless something else is said. */
  language?: EditorLanguage;
  /** Problems from another check; the text is then not checked for its syntax here. */
  problems?: readonly EditorProblem[];
  /** The place for the cursor; a new object each time it is to be shown. */
  place?: TextPlace | null;
  /** A line that is marked, from 1. */
  marked?: number;
  readOnly?: boolean;
  lineNumbers?: boolean;
  placeholder?: string;
  /** Its height when it does not fill its place. */
  minimumLines?: number;
}
