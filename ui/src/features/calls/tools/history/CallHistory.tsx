import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { PastCall, ServerId, ToolCall } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { SplitPane } from '@/components/SplitPane';
import type { ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { isRunning, type Run, takeFromRecord, useRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { useNavigation } from '@/state/navigation';
import { showError, showNotice } from '@/state/notices';
import { ResultPane } from '@/widgets/result/ResultPane';
import { RunDifference } from '../RunDifference';
import { compareRuns, endRunComparison, useRunPair } from '../run-comparison';
import { timeOf } from '../run-line';
import { RUNS } from '../texts';
import styles from '../tools.module.css';
import { HISTORY_COLUMNS } from './history-columns';
import { closeHistory } from './shown-history';
import { HISTORY } from './texts';
import { useHistory } from './use-history';

const PANES = [
  { id: 'calls', size: '40%', min: 90 },
  { id: 'result', min: 120 },
] as const;

interface Props {
  server: ServerId;
  tool: string;
  runId: string;
}

const nothing = () => undefined;
const now = () => Date.now();

/** The calls of a tool that are on record: to look at one as it was, repeat it, or compare two. */
export function CallHistory({ server, tool, runId }: Props) {
  const backend = useBackend();
  const rows = useHistory(server, tool);
  const isBusy = isRunning(useRun(runId));
  const pair = useRunPair(runId);
  const [widths, setWidths] = useState<ColumnWidths>({});
  const [chosen, setChosen] = useState<{ past: PastCall; run: Run }>();
  /** True while a call that was clicked is read: the buttons would act on the one before. */
  const [isReading, setReading] = useState(false);
  /** The run that the next chosen call is compared with. */
  const [compared, setCompared] = useState<Run>();

  // What was clicked last counts, whichever is read first, and nothing once the history is closed.
  const last = useRef(0);
  useEffect(
    () => () => {
      last.current += 1;
      // A list that is hidden while its server starts anew keeps its state.
      setReading(false);
    },
    [],
  );

  const open = async (call: ToolCall) => {
    if (call.outcome === 'pending') {
      showNotice('info', HISTORY.running);
      return;
    }
    last.current += 1;
    const turn = last.current;
    setReading(true);
    try {
      const past = await backend.getPastCall(call.id);
      if (turn !== last.current) return;
      const run = takeFromRecord(runId, past);
      setChosen({ past, run });
      if (compared === undefined || compared.key === run.key) {
        endRunComparison(runId);
        return;
      }
      const isLater = compared.startedAt <= run.startedAt;
      const [first, second] = isLater ? [compared, run] : [run, compared];
      compareRuns(runId, { first: first.key, second: second.key });
      setCompared(undefined);
    } catch (reason) {
      showError(reason);
    } finally {
      if (turn === last.current) setReading(false);
    }
  };
  const runAgain = (input: string) => {
    closeHistory(runId);
    endRunComparison(runId);
    startRun(backend, server, { kind: 'tool', name: tool, input });
  };
  const edit = (input: string) => {
    const from = chosen && RUNS.source(timeOf(chosen.run));
    useNavigation.getState().open({ server, tab: 'tools', item: tool, arguments: input, from });
  };

  const input = chosen?.past.input ?? null;
  return (
    <section className="pane" aria-label={HISTORY.label}>
      <div className={styles.bar}>
        <span className="min-w-0 truncate figures remark" role="status">
          {compared !== undefined
            ? HISTORY.chooseOther
            : rows.isLoaded && HISTORY.count(rows.count, rows.complete)}
        </span>
        <span className={styles.run}>
          {compared !== undefined ? (
            <Button variant="quiet" onPress={() => setCompared(undefined)}>
              {HISTORY.cancelChoice}
            </Button>
          ) : (
            chosen && (
              <>
                <Button
                  variant="quiet"
                  isDisabled={isReading || input === null || chosen.past.isMasked || isBusy}
                  onPress={() => input !== null && runAgain(input)}
                >
                  {HISTORY.runAgain}
                </Button>
                <Button
                  variant="quiet"
                  isDisabled={isReading || input === null}
                  onPress={() => input !== null && edit(input)}
                >
                  {HISTORY.edit}
                </Button>
                <Button
                  variant="quiet"
                  isDisabled={isReading || rows.count < 2}
                  onPress={() => setCompared(chosen.run)}
                >
                  {HISTORY.compare}
                </Button>
              </>
            )
          )}
          <IconButton label={HISTORY.close} onPress={() => closeHistory(runId)}>
            <X size={13} aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      {chosen?.past.isMasked && <p className={styles.historyNote}>▲ {HISTORY.masked}</p>}
      <div className="fill">
        <SplitPane name="call-history" direction="column" panes={PANES}>
          <div className={styles.calls}>
            <VirtualTable
              label={HISTORY.calls}
              columns={HISTORY_COLUMNS}
              source={rows}
              rowKey={({ id }) => id}
              frameOf={now}
              selected={chosen?.past.id ?? null}
              onSelect={nothing}
              onOpen={(call) => void open(call)}
              follow={false}
              onFollowChange={nothing}
              widths={widths}
              onWidthsChange={setWidths}
              empty={
                rows.isLoaded &&
                rows.complete && <EmptyState title={HISTORY.none}>{HISTORY.noneHint}</EmptyState>
              }
            />
          </div>
          {pair ? (
            <RunDifference runId={runId} {...pair} />
          ) : (
            <ResultPane run={chosen?.run} server={server} name={tool}>
              <EmptyState title={HISTORY.choose}>{HISTORY.chooseHint}</EmptyState>
            </ResultPane>
          )}
        </SplitPane>
      </div>
    </section>
  );
}
