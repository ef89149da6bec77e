import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { CallReport, CommandError, ServerView, TaskView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Facts } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useRemaining } from '@/components/use-remaining';
import { formatClock, formatDuration, formatTime } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import type { Run } from '@/state/calls/runs';
import { taskEra, useTasks } from '@/state/calls/tasks';
import { openPlace, showTraffic } from '@/state/navigation';
import { showError } from '@/state/notices';
import { ResultPane } from '@/widgets/result/ResultPane';
import { ListButton } from './TaskStrip';
import styles from './tasks.module.css';
import { FORMATS, statusOf, TASK, TASKS } from './texts';

const PANES = [
  { id: 'list', size: 290, min: 160, keepsPixels: true },
  { id: 'task', size: 380, min: 260, keepsPixels: true },
  { id: 'result', min: 260 },
] as const;

/** The tasks of a server: calls whose result comes later. */
export default function TasksTab({ server }: { server: ServerView }) {
  const all = useTasks((state) => state.tasks);
  const chosen = useTasks((state) => state.chosen[server.id]);
  const choose = useTasks((state) => state.choose);
  const tasks = all.filter((task) => task.server === server.id);
  const task = tasks.find(({ facts }) => facts.id === chosen) ?? tasks[0];
  if (!task) {
    return (
      <EmptyState title={TASKS.none} action={<ListButton server={server} />}>
        {taskEra(server) === 'modern' ? TASKS.noneModern : TASKS.noneLegacy}
      </EmptyState>
    );
  }
  return (
    <ListDetail name="tasks" panes={PANES}>
      <div className="stack min-h-0 h-full">
        <div className="fill scroll" onKeyDownCapture={moveByLetters}>
          <ListBox
            aria-label={TASKS.label}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[task.facts.id]}
            onSelectionChange={(keys) => {
              const [id] = keys === 'all' ? [] : keys;
              if (id !== undefined) choose(server.id, String(id));
            }}
            items={tasks.map((one) => ({ ...one, id: one.facts.id }))}
          >
            {(one) => <Row task={one} />}
          </ListBox>
        </div>
        {server.status.handshake?.features.taskList && (
          <div className="flex-none pad-x-6 pad-y-4">
            <ListButton server={server} />
          </div>
        )}
      </div>
      <TaskDetail key={`task ${task.facts.id}`} task={task} />
      <TaskResult key={`result ${task.facts.id}`} task={task} />
    </ListDetail>
  );
}

function Row({ task }: { task: TaskView }) {
  const { label, ...glyph } = statusOf(task);
  const name = task.tool === null ? TASKS.unknownTool : visibleText(task.tool);
  return (
    <ListBoxItem id={task.facts.id} textValue={`${name}, ${label}`} className={styles.row}>
      <Glyph {...glyph} />
      <span className="truncate">{name}</span>
      <span className="flex-none push text-small remark">{label}</span>
      <time className="flex-none figures text-small remark">{formatClock(task.created)}</time>
    </ListBoxItem>
  );
}

/** The result of a task once it has ended; until then its progress and its question. */
function TaskResult({ task }: { task: TaskView }) {
  const backend = useBackend();
  const { server, follow } = task;
  const { id, status } = task.facts;
  const [ended, setEnded] = useState<{ report?: CallReport; failure?: CommandError }>({});
  const hasResult = follow === 'ended' && status !== 'cancelled';
  useAsyncEffect(
    () =>
      hasResult
        ? {
            start: () => backend.getTaskResult(server, id),
            onValue: (report) => setEnded({ report }),
            onError: (reason) => setEnded({ failure: asCommandError(reason) }),
          }
        : null,
    [backend, server, id, hasResult],
  );
  const run: Run = {
    key: task.call ?? id,
    startedAt: task.created,
    task: id,
    ...(hasResult ? ended : {}),
  };
  const isUnderWay = follow === 'following';
  const isThere = hasResult && (ended.report !== undefined || ended.failure !== undefined);
  return (
    <ResultPane
      run={isUnderWay || isThere ? run : undefined}
      server={server}
      name={task.tool ?? TASKS.label}
    >
      {status === 'cancelled' && follow === 'ended' ? (
        <EmptyState title={TASKS.cancelled}>{TASKS.cancelledHint}</EmptyState>
      ) : follow === 'notConnected' ? (
        <EmptyState title={TASKS.notAsked}>{TASKS.notAskedHint}</EmptyState>
      ) : (
        <EmptyState title={TASKS.noResult}>{TASKS.noResultHint}</EmptyState>
      )}
    </ResultPane>
  );
}

/** One task: how far it is, for how long it is kept, and what can be done about it. */
function TaskDetail({ task }: { task: TaskView }) {
  const { facts, follow, problem } = task;
  const { label, ...glyph } = statusOf(task);
  const interval = facts.pollIntervalMs;
  return (
    <div className={styles.detail}>
      <h2 className="break-anywhere selectable text-title">
        {task.tool === null ? TASKS.unknownTool : visibleText(task.tool)}
      </h2>
      <Actions task={task} />
      {problem !== null && follow !== 'ended' && (
        <ProblemPanel tone={follow === 'unknown' ? 'bad' : 'warn'} title={visibleText(problem)} />
      )}
      <Facts
        facts={[
          [
            TASK.status,
            <span key="status" role="status">
              <Glyph {...glyph} /> {label}
            </span>,
          ],
          [TASK.message, visibleLines(facts.message ?? '')],
          [TASK.created, formatTime(task.created)],
          [TASK.updated, formatTime(task.updated)],
          [TASK.kept, <Kept key="kept" task={task} />],
          [
            TASK.interval,
            follow === 'following' && interval !== null ? formatDuration(interval) : null,
          ],
          [TASK.id, <code key="id">{visibleText(facts.id)}</code>],
          [TASK.format, FORMATS[task.era]],
        ]}
      />
    </div>
  );
}

/** The time for which the server still keeps the task. */
function Kept({ task: { facts, created } }: { task: TaskView }) {
  const until = facts.ttlMs === null ? null : created + facts.ttlMs;
  const left = useRemaining(until);
  if (until === null) return TASK.unlimited;
  return left === 0 ? TASK.over : TASK.left(formatDuration(left * 1000));
}

function Actions({ task }: { task: TaskView }) {
  const backend = useBackend();
  const { server, tool, follow } = task;
  const { id } = task.facts;
  const tried = (sent: Promise<unknown>) => void sent.catch(showError);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div role="group" aria-label={TASK.actions} className="flex wrap gap-3">
      {follow === 'following' && (
        <>
          <Button onPress={() => tried(backend.cancelTask(server, id))}>{TASK.cancel}</Button>
          <Button variant="quiet" onPress={() => tried(backend.refreshTask(server, id))}>
            {TASK.ask}
          </Button>
        </>
      )}
      {(follow === 'notConnected' || follow === 'unknown') && (
        <Button onPress={() => tried(backend.refreshTask(server, id))}>{TASK.ask}</Button>
      )}
      {tool !== null && (
        <Button variant="quiet" onPress={() => openPlace({ server, tab: 'tools', item: tool })}>
          {TASK.openTool}
        </Button>
      )}
      <Button variant="quiet" onPress={() => showTraffic(`"${id}"`)}>
        {TASK.traffic}
      </Button>
      {follow !== 'following' && (
        <Button variant="quiet" onPress={() => tried(backend.deleteTask(server, id))}>
          {TASK.forget}
        </Button>
      )}
    </div>
  );
}
