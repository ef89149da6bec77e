import { ChevronDown } from 'lucide-react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Menu } from '@/components/Menu';
import { isRunning, type Run, showRun, useRuns, useShownRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { useNavigation } from '@/state/navigation';
import { callParams, saveRequest } from '@/state/tests/save-request';
import { compareRuns } from './run-comparison';
import { runLine, timeOf } from './run-line';
import { RUNS, TOOL } from './texts';
import styles from './tools.module.css';

interface Props {
  server: ServerId;
  tool: string;
  runId: string;
}

/** The last runs of a tool: to look at one again, to repeat it, or to compare two. */
export function RunsMenu({ server, tool, runId }: Props) {
  const backend = useBackend();
  const runs = useRuns(runId);
  const shown = useShownRun(runId);
  if (!shown) return null;
  const isBusy = isRunning(runs.at(-1));
  return (
    <Menu
      label={RUNS.menu}
      trigger={
        <Button variant="quiet">
          {RUNS.menu} <span className="figures regular remark">{runs.length}</span>
          <ChevronDown size={12} aria-hidden />
        </Button>
      }
      groups={[
        [
          {
            id: 'again',
            title: RUNS.again,
            isDisabled: isBusy || shown.input === undefined,
            run: () =>
              startRun(backend, server, { kind: 'tool', name: tool, input: shown.input ?? '{}' }),
          },
          {
            id: 'edit',
            title: RUNS.edit,
            isDisabled: shown.input === undefined,
            run: () => editArguments(server, tool, shown),
          },
          {
            id: 'save',
            title: TOOL.saveRequest,
            isDisabled: shown.input === undefined,
            run: () =>
              saveRequest(server, tool, 'tools/call', callParams(tool, shown.input ?? '{}')),
          },
          {
            id: 'compare',
            title: RUNS.compare,
            isDisabled: runs.length < 2,
            run: () => {
              const at = Math.max(1, runs.indexOf(shown));
              const [first, second] = [runs[at - 1], runs[at]];
              if (first && second) compareRuns(runId, { first: first.key, second: second.key });
            },
          },
        ],
        [...runs].reverse().map((run) => ({
          id: run.key,
          title: runLine(run),
          keys: run === shown ? RUNS.shown : undefined,
          run: () => showRun(runId, run.key),
        })),
      ]}
    />
  );
}

/** Says that an earlier run is shown, and leads back to the last. */
export function EarlierRun({ runId }: { runId: string }) {
  const runs = useRuns(runId);
  const shown = useShownRun(runId);
  const last = runs.at(-1);
  if (!shown || !last || shown === last) return null;
  return (
    <div role="status" className={styles.earlier}>
      <span>{RUNS.old(timeOf(shown))}</span>
      <Button variant="quiet" onPress={() => showRun(runId, last.key)}>
        {RUNS.latest}
      </Button>
    </div>
  );
}

function editArguments(server: ServerId, tool: string, run: Run): void {
  useNavigation.getState().open({
    server,
    tab: 'tools',
    item: tool,
    arguments: run.input ?? '{}',
    from: RUNS.source(timeOf(run)),
  });
}
