import type { SurfaceDifference } from '@/backend/bindings';
import { ChangeList } from './ChangeList';
import styles from './surface.module.css';
import { differenceSummary, SURFACE } from './texts';

interface DifferencesProps {
  isBusy: boolean;
  /** Absent until two sides were compared. */
  difference: SurfaceDifference | null;
}

/** The outcome of a comparison. */
export function Differences({ isBusy, difference }: DifferencesProps) {
  return (
    <>
      <p role="status" className={styles.remark}>
        {isBusy && SURFACE.comparing}
        {difference !== null &&
          (difference.changes.length > 0 ? differenceSummary(difference) : SURFACE.same)}
      </p>
      {difference !== null && (
        <ChangeList changes={difference.changes} leftOut={difference.left_out} />
      )}
    </>
  );
}
