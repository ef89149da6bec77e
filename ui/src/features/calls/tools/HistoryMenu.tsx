import { ChevronDown } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Menu, type MenuEntry } from '@/components/Menu';
import { runAction } from '@/state/actions';
import { isRunning, type Run, showRun, useRuns, useShownRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { openPlace } from '@/state/navigation';
import { RUN } from '@/widgets/result/texts';
import { showResult, showView } from './result-views';
import { RUNS, runLine, timeOf } from './texts';
import styles from './tools.module.css';

interface Props {
  server: ServerId;
  tool: string;
  /** The definition that is shown; null where none is. */
  definition: string | null;
  runId: string;
}

/** The calls of a tool: the last ones at hand, to look at, repeat or compare, and all on record. */
export function HistoryMenu({ server, tool, definition, runId }: Props) {
  const backend = useBackend();
  // Closed for nearly all of the time, it is drawn with the result and not before.
  const runs = useDeferredValue(useRuns(runId));
  const shown = useDeferredValue(useShownRun(runId));
  const input = shown?.input;
  const at = shown ? Math.max(1, runs.indexOf(shown)) : 0;
  const [first, second] = [runs[at - 1], runs[at]];
  // The menu of the result has it once there is one.
  const save = { id: 'save', title: RUN.save, run: () => void runAction('call.save') };
  const entries: MenuEntry[] = [
    {
      id: 'again',
      title: RUNS.again,
      isDisabled: isRunning(runs.at(-1)) || input === undefined || shown?.isMasked,
      run: () => {
        showResult(runId);
        const request = { kind: 'tool', name: tool, input: input ?? '{}', definition } as const;
        startRun(backend, server, request);
      },
    },
    {
      id: 'restart',
      title: RUN.restart,
      shortcut: 'mod+shift+enter',
      run: () => void runAction('call.restart'),
    },
    {
      id: 'edit',
      title: RUNS.edit,
      isDisabled: input === undefined,
      run: () => shown && editArguments(server, tool, shown),
    },
    {
      id: 'compare',
      title: RUNS.compare,
      isDisabled: !first || !second,
      run: () =>
        first && second && showView(runId, { pair: { first: first.key, second: second.key } }),
    },
  ];
  const last = [...runs].reverse().map((run) => ({
    id: run.key,
    title: runLine(run),
    keys: run === shown ? RUNS.shown : undefined,
    run: () => showRun(runId, run.key),
  }));
  const all = { id: 'all', title: RUNS.all, run: () => showView(runId, { history: true }) };
  return (
    <Menu
      label={RUNS.menu}
      trigger={
        <Button variant="quiet">
          {RUNS.menu}{' '}
          {runs.length > 0 && <span className="figures regular remark">{runs.length}</span>}
          <ChevronDown size={12} />
        </Button>
      }
      groups={shown ? [entries, last, [all]] : [[save], [all]]}
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
      <p>{RUNS.old(timeOf(shown))}</p>
      <Button variant="quiet" onPress={() => showRun(runId, last.key)}>
        {RUNS.latest}
      </Button>
    </div>
  );
}

function editArguments(server: ServerId, tool: string, run: Run): void {
  openPlace({
    server,
    tab: 'tools',
    item: tool,
    arguments: run.input ?? '{}',
    from: RUNS.source(timeOf(run)),
  });
}
