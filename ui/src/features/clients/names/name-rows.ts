import type { ModelNamesView, NameWarningKind, QualifiedName } from '@/backend/bindings';
import { NAME_WARNINGS } from '../texts';

/** A name with its place in the list. */
export interface NameRow {
  index: number;
  name: QualifiedName;
  /** True where something may go wrong with it, and not only differ. */
  isWarning: boolean;
}

/** Kinds of warnings, the gravest first. */
const GRAVITY: readonly NameWarningKind[] = [
  'collision',
  'refused',
  'tooLong',
  'truncated',
  'hashed',
  'replaced',
  'notSent',
];

export function nameRows({ names }: Pick<ModelNamesView, 'names'>): readonly NameRow[] {
  return names.map((name, index) => ({
    index,
    name,
    isWarning: name.warnings.some(({ kind }) => NAME_WARNINGS[kind].tone !== 'idle'),
  }));
}

/** The kinds of a name's warnings, each once, the gravest first. */
export function warningKinds({ warnings }: QualifiedName): readonly NameWarningKind[] {
  return GRAVITY.filter((kind) => warnings.some((warning) => warning.kind === kind));
}
