import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ToolCall } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph, type StatusLabel } from '@/components/Glyph';
import { SplitPane } from '@/components/SplitPane';
import type { Column, ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { formatDuration, formatMoment, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { type Run, showRun, takeFromRecord, useShownRun } from '@/state/calls/runs';
import { showError, showNotice } from '@/state/notices';
import { useRecording } from '@/state/record/recording';
import { showView } from '../result-views';
import styles from '../tools.module.css';
import { HistoryRows } from './history-rows';
import { HISTORY } from './texts';

const PANES = [
  { id: 'calls', size: '40%', min: 90 },
  { id: 'result', min: 120 },
] as const;

interface Props {
  server: ServerId;
  tool: string;
  runId: string;
  /** The outcome of the call that is shown. */
  children: ReactNode;
}

const nothing = () => undefined;
const now = () => Date.now();

/** The calls of a tool that are on record: to look at one as it was, or to compare two. */
export function CallHistory({ server, tool, runId, children }: Props) {
  const backend = useBackend();
  const rows = useHistory(server, tool);
  const shown = useShownRun(runId);
  const [widths, setWidths] = useState<ColumnWidths>({});
  /** The run that the next chosen call is compared with. */
  const [compared, setCompared] = useState<Run>();

  // What was clicked last counts, whichever is read first, and nothing once the history is closed.
  const last = useRef(0);
  useEffect(
    () => () => {
      last.current += 1;
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
    try {
      const past = await backend.getPastCall(call.id);
      if (turn !== last.current) return;
      const run = takeFromRecord(runId, past);
      showRun(runId, run.key);
      if (compared === undefined || compared.key === run.key) {
        showView(runId, { pair: undefined });
        return;
      }
      const isLater = compared.startedAt <= run.startedAt;
      const [first, second] = isLater ? [compared, run] : [run, compared];
      showView(runId, { pair: { first: first.key, second: second.key } });
      setCompared(undefined);
    } catch (reason) {
      showError(reason);
    }
  };

  return (
    <section className="pane" aria-label={HISTORY.label}>
      <div className={styles.bar}>
        <span className="min-w-0 truncate figures remark" role="status">
          {compared !== undefined
            ? HISTORY.chooseOther
            : rows.isLoaded && HISTORY.count(rows.count, rows.complete)}
        </span>
        <span className="flex gap-2 push">
          {compared !== undefined ? (
            <Button variant="quiet" onPress={() => setCompared(undefined)}>
              {HISTORY.cancelChoice}
            </Button>
          ) : (
            shown && (
              <Button
                variant="quiet"
                isDisabled={rows.count < 2}
                onPress={() => setCompared(shown)}
              >
                {HISTORY.compare}
              </Button>
            )
          )}
          <IconButton
            icon={X}
            label={HISTORY.close}
            onPress={() => showView(runId, { history: false })}
          />
        </span>
      </div>
      <div className="fill">
        <SplitPane name="call-history" direction="column" panes={PANES}>
          <div className={styles.calls}>
            <VirtualTable
              label={HISTORY.calls}
              columns={HISTORY_COLUMNS}
              source={rows}
              rowKey={({ id }) => id}
              frameOf={now}
              selected={shown?.report?.request.requestFrame ?? null}
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
          {children}
        </SplitPane>
      </div>
    </section>
  );
}

/** The calls of a tool that are on record, kept as the record grows. */
function useHistory(server: ServerId, tool: string): HistoryRows {
  const backend = useBackend();
  const [rows] = useState(
    () =>
      new HistoryRows(
        (offset, limit) => backend.listToolCalls(server, tool, offset, limit),
        showError,
      ),
  );
  useEffect(() => {
    rows.open();
    const leaveRecord = useRecording.subscribe((state, before) => {
      if (state.revision !== before.revision) rows.refresh();
    });
    return () => {
      leaveRecord();
      rows.close();
    };
  }, [rows]);
  useSyncExternalStore(rows.subscribe, rows.getVersion);
  return rows;
}

const HISTORY_COLUMNS: readonly Column<ToolCall, number>[] = [
  {
    id: 'time',
    title: HISTORY.time,
    width: 116,
    cell: (call, now) => (
      <span title={formatTimestamp(call.at)}>{formatMoment(call.at, now).slice(0, 14)}</span>
    ),
  },
  {
    id: 'outcome',
    title: HISTORY.outcome,
    width: 130,
    cell: (call) => {
      const { glyph, tone, label } = outcomeLabel(call);
      return (
        <>
          <Glyph glyph={glyph} tone={tone} /> {label}
        </>
      );
    },
  },
  {
    id: 'duration',
    title: HISTORY.duration,
    width: 80,
    align: 'end',
    yields: 1,
    cell: ({ duration }) => (duration === null ? '' : formatDuration(duration)),
  },
  {
    id: 'arguments',
    title: HISTORY.arguments,
    width: 140,
    takesRest: true,
    indent: 8,
    cell: ({ arguments: text }) =>
      text === null ? (
        HISTORY.notOnRecord
      ) : (
        <span title={visibleText(text)}>{visibleText(text)}</span>
      ),
  },
];

/** The outcome of a call in a word or two. */
function outcomeLabel({ outcome, code }: ToolCall): StatusLabel {
  switch (outcome) {
    case 'ok':
      return { glyph: '✓', tone: 'ok', label: 'ok' };
    case 'error':
      return {
        glyph: '✕',
        tone: 'bad',
        label: code === null ? HISTORY.toolError : HISTORY.error(code),
      };
    case 'cancelled':
      return { glyph: '■', tone: 'warn', label: 'cancelled' };
    case 'pending':
      return { glyph: '◐', tone: 'busy', label: 'running' };
    default:
      return { glyph: '✕', tone: 'bad', label: 'unanswered' };
  }
}
