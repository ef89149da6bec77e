import type { TrustView } from '@/backend/bindings';
import { Confirmed } from '@/components/Confirmed';
import { LaunchDetails } from '@/widgets/launch/LaunchDetails';
import styles from './approval.module.css';
import { DETAILS } from './texts';

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
