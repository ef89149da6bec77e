import type { Problem, ProblemKind, Target } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { showDialog } from '@/state/dialogs';
import { REPAIR_FILE } from './texts';

/** Mistakes that have one meaning. */
const COMMAS: readonly ProblemKind[] = ['trailingComma', 'missingComma'];

/** Tells whether some of what is wrong with a file can be put right by itself. */
export function canRepair(problems: readonly Problem[]): boolean {
  return problems.some(({ kind, severity }) => severity === 'error' && COMMAS.includes(kind));
}

interface RepairFileProps {
  file: { target: Target; problems: readonly Problem[] };
  variant: 'primary' | 'plain';
}

/** Shows a broken file with its commas put right, to be written once that was seen. */
export function RepairFile({ file: { target, problems }, variant }: RepairFileProps) {
  if (!canRepair(problems)) return null;
  const action = { type: 'repair', target } as const;
  return (
    <Button variant={variant} onPress={() => showDialog({ kind: 'config-change', action })}>
      {REPAIR_FILE}
    </Button>
  );
}
