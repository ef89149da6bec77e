import { X } from 'lucide-react';
import type { ServerId } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { Glyph, type StatusLabel } from '@/components/Glyph';
import { SplitPane } from '@/components/SplitPane';
import { isRunning, type Run, useRun } from '@/state/calls/runs';
import { ResultPane } from '@/widgets/result/ResultPane';
import { useCompared } from './RunDifference';
import { runAs, showView } from './result-views';
import { IDENTITIES } from './texts';
import styles from './tools.module.css';

const PANES = [
  { id: 'one', min: 200 },
  { id: 'other', min: 200 },
] as const;

/** The width below which one stands below the other, in pixels. */
const STACK_BELOW = 480;

interface Props {
  runId: string;
  identities: readonly [string, string];
  server: ServerId;
  /** The tool. */
  name: string;
}

/** The same call as two identities, beside each other. */
export function ComparedResults({ server, name, runId, identities }: Props) {
  const [one, other] = identities;
  const first = useRun(runId);
  const second = useRun(runAs(runId, other));
  return (
    <div className="pane">
      <div className={styles.compared}>
        <Verdict first={first} second={second} identities={identities} />
        <IconButton
          icon={X}
          label={IDENTITIES.end}
          onPress={() => showView(runId, { identities: undefined })}
        />
      </div>
      <div className="fill">
        <SplitPane name="compared" direction="row" panes={PANES} stackBelow={STACK_BELOW}>
          <ResultPane run={first} server={server} name={name} identity={one}>
            {null}
          </ResultPane>
          <ResultPane run={second} server={server} name={name} identity={other}>
            {null}
          </ResultPane>
        </SplitPane>
      </div>
    </div>
  );
}

interface VerdictProps {
  first: Run | undefined;
  second: Run | undefined;
  identities: readonly [string, string];
}

/** Says whether both got the same. */
function Verdict({ first, second, identities: [one, other] }: VerdictProps) {
  const compared = useCompared(ended(first), ended(second));
  const failed = first?.failure ?? second?.failure;
  if (failed) return <Line glyph="✕" tone="bad" label={IDENTITIES.failed} />;
  if (compared === undefined) {
    return <Line glyph="◐" tone="busy" label={IDENTITIES.running(one, other)} />;
  }
  // What is no longer on record cannot be compared.
  return compared !== 'gone' && compared.output.differences.length === 0 ? (
    <Line glyph="✓" tone="ok" label={IDENTITIES.same(one, other)} />
  ) : (
    <Line glyph="▲" tone="warn" label={IDENTITIES.different(one, other)} />
  );
}

function ended(run: Run | undefined): Run | undefined {
  return isRunning(run) ? undefined : run;
}

function Line({ glyph, tone, label }: StatusLabel) {
  return (
    <span role="status" className="row gap-3 min-w-0 truncate">
      <Glyph glyph={glyph} tone={tone} /> {label}
    </span>
  );
}
