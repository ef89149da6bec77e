import { type ReactNode, useState } from 'react';
import type { SurfaceDifference } from '@/backend/bindings';
import { Dialog } from '@/components/Dialog';
import { useClose } from '@/state/dialogs';
import { useAttempt } from '@/state/servers/attempt';
import { ChangeList } from './ChangeList';
import { CHANGES, differenceSummary } from './texts';

interface ComparisonDialogProps {
  title: string;
  /** Names the two sides: the outcome for others is not shown. */
  sides: string;
  /** Absent where there is nothing to compare with. */
  compare: (() => Promise<SurfaceDifference>) | null;
  /** The choice of the two sides. */
  children: ReactNode;
}

/** Compares what two servers show of themselves. */
export function ComparisonDialog({ title, sides, compare, children }: ComparisonDialogProps) {
  const close = useClose();
  const { isBusy, problem, attempt } = useAttempt();
  const [compared, setCompared] = useState<{ sides: string; difference: SurfaceDifference }>();
  const run = async () => {
    if (compare === null) return;
    setCompared(undefined);
    const difference = await compare();
    setCompared({ sides, difference });
  };
  return (
    <Dialog
      title={title}
      isOpen
      width="wide"
      onClose={close}
      problem={problem}
      closeLabel={CHANGES.close}
      action={{
        label: CHANGES.compare,
        isDisabled: isBusy || compare === null,
        run: () => void attempt(run),
      }}
    >
      <div className="stack gap-6">
        {children}
        <Differences
          isBusy={isBusy}
          difference={compared?.sides === sides ? compared.difference : null}
        />
      </div>
    </Dialog>
  );
}

interface DifferencesProps {
  isBusy: boolean;
  /** Absent until two sides were compared. */
  difference: SurfaceDifference | null;
}

/** The outcome of a comparison. */
export function Differences({ isBusy, difference }: DifferencesProps) {
  return (
    <>
      <p role="status" className="remark">
        {isBusy && CHANGES.comparing}
        {difference !== null &&
          (difference.changes.length > 0 ? differenceSummary(difference) : CHANGES.same)}
      </p>
      {difference !== null && (
        <ChangeList changes={difference.changes} leftOut={difference.leftOut} />
      )}
    </>
  );
}
