import type { ServerView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { useTesting } from '@/state/checks/testing';
import { ConformancePane } from './ConformancePane';
import { LoadPane } from './LoadPane';
import styles from './testing.module.css';
import { TESTING } from './texts';

const SEGMENTS = [
  { value: 'conformance', label: TESTING.conformance },
  { value: 'load', label: TESTING.load },
] as const;

/** The tests of a server for its author: checks of conformance, and load runs. */
export default function TestingTab({ server }: { server: ServerView }) {
  const kind = useTesting((state) => state.kinds[server.id] ?? 'conformance');
  const show = useTesting((state) => state.show);
  return (
    <div className="stack min-h-0 h-full">
      <div className="bar h-bar pad-x-7 pad-y-0">
        <Segmented
          label={TESTING.kind}
          segments={SEGMENTS}
          value={kind}
          onChange={(next) => show(server.id, next)}
        />
      </div>
      <div className={styles.content}>
        {kind === 'conformance' ? (
          <ConformancePane server={server} />
        ) : (
          <LoadPane server={server} />
        )}
      </div>
    </div>
  );
}
