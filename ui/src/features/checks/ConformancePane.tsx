import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Era, Finding, SuiteScenario, SuiteView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Checkbox } from '@/components/Checkbox';
import { Dialog } from '@/components/Dialog';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { useChecks } from '@/state/checks/checks';
import { showTraffic } from '@/state/navigation';
import { showError } from '@/state/notices';
import { startServer } from '@/state/servers/connecting';
import { FindingList } from '@/widgets/findings/FindingList';
import { ToolField, useToolNames } from '@/widgets/tool-field/ToolField';
import styles from './checks.module.css';
import { ArgumentsField, type PaneProps, Part, RunForm } from './Part';
import { CONFORMANCE, ERA_CHOICES, ERAS, SUITE, TESTING } from './texts';

/** Exchanges behind a verdict that are offered. */
const MAX_EVIDENCE = 3;

type EraChoice = (typeof ERA_CHOICES)[number]['value'];

/** The checks of a server against the specification: what to run, and how it went. */
export function ConformancePane({ server, judgement }: PaneProps) {
  const backend = useBackend();
  const run = useChecks((state) => state.conformance[server.id]);
  const names = useToolNames(server);
  const [era, setEra] = useState<EraChoice>('both');
  const [tool, setTool] = useState('');
  const [given, setGiven] = useState('');
  const [withSuite, setWithSuite] = useState(false);
  const [question, setQuestion] = useState<SuiteQuestion | null>(null);
  const canUseSuite = server.transport === 'http';
  const runWith = (allowedHost: string | null) =>
    startServer(server.id, () =>
      backend.startConformance(server.id, {
        era: era === 'both' ? null : era,
        tool: tool === '' ? null : tool,
        arguments: tool === '' || given.trim() === '' ? null : given,
        suite: withSuite && canUseSuite,
        allowedHost,
      }),
    );
  /** Runs the checks, once what the suite needs is there and allowed. */
  const start = async () => {
    setQuestion(null);
    if (!withSuite || !canUseSuite) return runWith(null);
    try {
      const suite = await backend.getConformanceSuite();
      if (!suite.isInstalled) return setQuestion({ kind: 'install', suite });
      const host = await backend.getRemoteHost(server.id);
      if (host !== null) return setQuestion({ kind: 'host', host });
      runWith(null);
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <>
      <Part part="conformance" judgement={judgement}>
        <p className={styles.meaning}>{CONFORMANCE.meaning}</p>
        <RunForm
          isRunning={run?.isRunning ?? false}
          start={CONFORMANCE.run}
          onStart={() => void start()}
          onStop={() => void backend.stopConformance(server.id).catch(showError)}
        >
          <Select label={TESTING.era} choices={ERA_CHOICES} value={era} onChange={setEra} />
          <ToolField
            label={TESTING.toolOfChecks}
            names={names}
            isOptional
            value={tool}
            onChange={setTool}
          />
          {tool !== '' && <ArgumentsField value={given} onChange={setGiven} />}
          <div className={styles.suite}>
            {canUseSuite ? (
              <>
                <Checkbox isSelected={withSuite} onChange={setWithSuite}>
                  {SUITE.choice}
                </Checkbox>
                {withSuite && <p className="remark">{SUITE.meaning}</p>}
              </>
            ) : (
              <p className="remark">{SUITE.httpOnly}</p>
            )}
          </div>
        </RunForm>
      </Part>
      {run?.report?.suiteProblem != null && (
        <p className="pad-x-8 pad-y-0 figures remark">✕ {visibleText(run.report.suiteProblem)}</p>
      )}
      {run && run.checks.length > 0 && <Checks checks={run.checks} />}
      {run && run.scenarios.length > 0 && <Scenarios scenarios={run.scenarios} />}
      {question && (
        <SuiteDialog
          question={question}
          onClose={() => setQuestion(null)}
          onInstalled={() => void start()}
          onAllowed={(host) => {
            setQuestion(null);
            runWith(host);
          }}
        />
      )}
    </>
  );
}

function Checks({ checks }: { checks: readonly Finding<Era>[] }) {
  const [shown, setShown] = useState<'all' | 'failed'>('all');
  const eras = [...new Set(checks.map(({ subject }) => subject))];
  return (
    <Section
      title={CONFORMANCE.checks}
      aside={
        <Segmented
          label={CONFORMANCE.checks}
          segments={[
            { value: 'all', label: CONFORMANCE.all },
            { value: 'failed', label: CONFORMANCE.failed },
          ]}
          value={shown}
          onChange={setShown}
        />
      }
    >
      {eras.map((era) => (
        <EraChecks
          key={era}
          era={era}
          checks={checks.filter(
            (check) => check.subject === era && (shown === 'all' || check.verdict === 'failed'),
          )}
        />
      ))}
    </Section>
  );
}

function EraChecks({ era, checks }: { era: Era; checks: readonly Finding<Era>[] }) {
  if (checks.length === 0) return null;
  return (
    <>
      <h3 className={styles.era}>{ERAS[era]}</h3>
      <FindingList
        label={ERAS[era]}
        findings={checks}
        actions={(check) => <Messages of={check} />}
      />
    </>
  );
}

/** Leads to the messages behind a verdict. */
function Messages({ of: { exchanges, title } }: { of: Finding<Era> }) {
  return exchanges.slice(0, MAX_EVIDENCE).map((exchange) => (
    <Button
      key={exchange}
      variant="quiet"
      aria-label={CONFORMANCE.messages(exchange, title)}
      onPress={() => showTraffic(`id:${exchange}`)}
    >
      #{exchange}
    </Button>
  ));
}

/** The scenarios of the official suite, each with the suite's own verdict and reasons. */
function Scenarios({ scenarios }: { scenarios: readonly SuiteScenario[] }) {
  const revisions = [...new Set(scenarios.map(({ revision }) => revision))];
  return (
    <Section title={SUITE.title}>
      {revisions.map((revision) => (
        <div key={revision}>
          <h3 className={styles.era}>{revision}</h3>
          <FindingList
            label={`${SUITE.title} ${revision}`}
            findings={scenarios.filter((one) => one.revision === revision).map(findingOf)}
          />
        </div>
      ))}
    </Section>
  );
}

/** Returns the outcome of a scenario as a finding. One that is not scored cannot fail. */
function findingOf({ name, isScored, verdict, checks }: SuiteScenario): Finding<null> {
  const failures = checks.filter((check) => check.verdict === 'failed');
  const nothing = { subject: null, clause: null, exchanges: [], evidence: [], duration: null };
  return {
    rule: name,
    title: isScored ? name : `${name} (${SUITE.notScored})`,
    verdict: isScored || verdict !== 'failed' ? verdict : 'note',
    message:
      failures.map(({ rule, title, message }) => `${rule}: ${message ?? title}`).join('\n') || null,
    ...nothing,
  };
}

/** Question to the user before the official suite runs. */
type SuiteQuestion = { kind: 'install'; suite: SuiteView } | { kind: 'host'; host: string };

interface SuiteDialogProps {
  question: SuiteQuestion;
  onClose(): void;
  onInstalled(): void;
  onAllowed(host: string): void;
}

/** Asks before the official suite is downloaded, and before it is sent to another machine. */
function SuiteDialog({ question, onClose, onInstalled, onAllowed }: SuiteDialogProps) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const install = async () => {
    setBusy(true);
    try {
      await backend.installConformanceSuite();
      onInstalled();
    } catch (reason) {
      showError(reason);
      onClose();
    }
  };
  const isInstall = question.kind === 'install';
  return (
    <Dialog
      title={isInstall ? SUITE.install : SUITE.confirm}
      isOpen
      onClose={onClose}
      isCareful
      action={
        question.kind === 'install'
          ? {
              label: isBusy ? SUITE.downloading : SUITE.download,
              isDisabled: isBusy,
              run: () => void install(),
            }
          : { label: SUITE.start, isDangerous: true, run: () => onAllowed(question.host) }
      }
    >
      <p>{visibleText(isInstall ? SUITE.installs(question.suite) : SUITE.remote(question.host))}</p>
    </Dialog>
  );
}
