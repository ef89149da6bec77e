import type { TrustView } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { useSnapshot } from '@/state/snapshot';
import { LaunchDetails } from '@/widgets/launch/LaunchDetails';
import styles from './approval.module.css';
import { DETAILS, FOLDER } from './texts';

/** The effects of connecting to a project's server, and its entry as it stands in the file. */
export function ApprovalDetails({ trust }: { trust: TrustView }) {
  const place = `${trust.path}:${trust.line}`;
  return (
    <>
      <LaunchDetails
        launch={trust}
        facts={[[DETAILS.definedIn, <Confirmed key="path" text={place} />]]}
      />
      <details className={styles.raw}>
        <summary>{DETAILS.entry}</summary>
        <pre className={styles.text}>
          <Confirmed text={trust.text} isLines />
        </pre>
      </details>
    </>
  );
}

interface FolderTrustProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Offers to trust the folder along with approving a program that is to start in it. */
export function FolderTrust(props: FolderTrustProps) {
  const folder = useSnapshot((state) => state.folder);
  if (folder.answer === 'trusted') return null;
  return (
    <div className="stack gap-2 mt-5">
      <Checkbox {...props}>{FOLDER.trust}</Checkbox>
      <p className="remark">
        {FOLDER.before}
        <Confirmed text={folder.path} />
        {FOLDER.after}
      </p>
    </div>
  );
}
