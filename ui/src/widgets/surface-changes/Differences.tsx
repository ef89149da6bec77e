import type { SurfaceDifference } from '@/backend/bindings';
import { ChangeList } from './ChangeList';
import { CHANGES, differenceSummary } from './texts';

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
