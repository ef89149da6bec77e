import { type ReactNode, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { DoctorReport, ServerView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { oneSelected } from '@/components/one-selected';
import { RunButton } from '@/components/RunButton';
import { checkAll, stopChecks } from '@/state/checks/check-all';
import { CHECK_PARTS, type CheckPart, useChecks } from '@/state/checks/checks';
import { isBad, type ServerVerdict, useServerVerdict } from '@/state/checks/verdict';
import { isUsable } from '@/state/servers/servers';
import { CHECK_STATES } from '@/widgets/findings/texts';
import { Changes } from './Changes';
import { ConformancePane } from './ConformancePane';
import { Connection } from './Connection';
import styles from './checks.module.css';
import { Findings } from './Findings';
import { LoadPane } from './LoadPane';
import { Part } from './Part';
import { CHECKS, PART_TITLES } from './texts';

const PANES = [
  { id: 'parts', size: 240, min: 180, keepsPixels: true },
  { id: 'part', min: 300 },
] as const;

interface ChecksTabProps {
  server: ServerView;
  /** Draws the repair of what the doctor found. */
  remedy(report: DoctorReport): ReactNode;
  /** The tests of the server. */
  tests: ReactNode;
}

/** Everything that judges a server: one verdict, and the parts that it is made of. */
export function ChecksTab({ server, remedy, tests }: ChecksTabProps) {
  const backend = useBackend();
  const verdict = useServerVerdict(server);
  const isRunning = CHECK_PARTS.some((one) => verdict.parts[one].state === 'running');
  const [first] = useState(() => CHECK_PARTS.find((one) => isBad(verdict.parts[one].state)));
  const part = useChecks((state) => state.shown[server.id]) ?? first ?? 'connection';
  const given = { server, judgement: verdict.parts[part] };
  const contents: Record<CheckPart, () => ReactNode> = {
    connection: () => <Connection {...given} remedy={remedy} />,
    findings: () => <Findings {...given} />,
    changes: () => <Changes {...given} />,
    conformance: () => <ConformancePane {...given} />,
    load: () => <LoadPane {...given} />,
    tests: () => (
      <Part part="tests" judgement={given.judgement}>
        {tests}
      </Part>
    ),
  };
  return (
    <div className="stack min-h-0 h-full">
      <div className="bar h-bar gap-4 pad-x-7 pad-y-0">
        <div role="status" className="row grow gap-3 min-w-0">
          <Glyph {...CHECK_STATES[verdict.state]} />
          <p className="truncate semibold">{verdict.words}</p>
        </div>
        <RunButton
          isPrimary
          isRunning={isRunning}
          isDisabled={!isUsable(server)}
          label={CHECKS.all}
          onRun={() => checkAll(backend, server)}
          onStop={() => stopChecks(backend, server.id)}
        />
      </div>
      <div className="fill">
        <ListDetail name="checks" panes={PANES}>
          <Parts server={server} verdict={verdict} part={part} />
          <div className={styles.content}>{contents[part]()}</div>
        </ListDetail>
      </div>
    </div>
  );
}

interface PartsProps {
  server: ServerView;
  verdict: ServerVerdict;
  part: CheckPart;
}

/** The parts of the checks, each with how it went. */
function Parts({ server, verdict, part }: PartsProps) {
  return (
    <ListBox
      aria-label={CHECKS.parts}
      className="h-full scroll no-outline"
      {...oneSelected(part, (chosen) => useChecks.getState().show(server.id, chosen))}
    >
      {CHECK_PARTS.map((one) => {
        const { state, words } = verdict.parts[one];
        return (
          <ListBoxItem
            key={one}
            id={one}
            textValue={PART_TITLES[one]}
            aria-label={`${PART_TITLES[one]}, ${words}`}
            className={styles.part}
          >
            <Glyph {...CHECK_STATES[state]} />
            <span className="flex-none">{PART_TITLES[one]}</span>
            <span className="push truncate text-small faint" title={words}>
              {/* What is wrong alone is said above. */}
              {words !== verdict.words && words}
            </span>
          </ListBoxItem>
        );
      })}
    </ListBox>
  );
}
