import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { CaseReport, Finding, RequestView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { RunButton } from '@/components/RunButton';
import { useServerTests } from '@/state/checks/verdict';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { runRequests, selectionOf, useRequestFiles, writeStubs } from '@/state/tests/request-files';
import { FindingList } from '@/widgets/findings/FindingList';
import { REQUESTS } from './texts';

/** The tests of one server, with how each went. */
export function ServerTests({ server }: { server: ServerView }) {
  const backend = useBackend();
  const tests = useServerTests(server);
  const reports = useRequestFiles((state) => state.reports);
  const run = useRequestFiles((state) => state.run);
  const findings = useMemo(
    () => tests.map((test) => findingOf(test, reports[test.path])),
    [tests, reports],
  );
  const open = (path: string) => {
    useRequestFiles.getState().select(path);
    useNavigation.getState().openTests();
  };
  return (
    <>
      {tests.length === 0 ? (
        <>
          <p className="remark">{REQUESTS.none}</p>
          <div className="flex wrap gap-4">
            <Button
              onPress={() => useNavigation.getState().open({ server: server.id, tab: 'tools' })}
            >
              {REQUESTS.goToTool}
            </Button>
            <Button onPress={() => void writeStubs(backend, server.id)}>
              {REQUESTS.stubs(server.name)}
            </Button>
          </div>
        </>
      ) : (
        <div>
          <RunButton
            isRunning={run?.isRunning ?? false}
            label={REQUESTS.runAll}
            onRun={() =>
              void runRequests(backend, { selection: selectionOf(tests), update: false })
            }
            onStop={() => run && void backend.stopRequestRun(run.id).catch(showError)}
          />
        </div>
      )}
      <FindingList
        label={REQUESTS.title}
        findings={findings}
        actions={({ subject, title }) => (
          <Button
            variant="quiet"
            aria-label={REQUESTS.openTest(title)}
            onPress={() => open(subject)}
          >
            {REQUESTS.open}
          </Button>
        )}
      />
    </>
  );
}

/** Returns how a test went as a finding. */
function findingOf(test: RequestView, report: CaseReport | undefined): Finding<string> {
  const [problem] = test.problems;
  const failed = report?.checks.find(({ passed }) => !passed);
  const missed = failed && [failed.label, failed.message].filter((part) => part !== null);
  return {
    rule: test.path,
    title: test.name,
    verdict: problem ? 'error' : (report?.verdict ?? 'skipped'),
    subject: test.path,
    message:
      problem?.message ?? report?.reason ?? missed?.join(': ') ?? (report ? null : REQUESTS.notRun),
    clause: null,
    exchanges: [],
    evidence: report?.evidence ?? [],
    duration: report?.duration ?? null,
  };
}
