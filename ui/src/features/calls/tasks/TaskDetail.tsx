import { useBackend } from '@/backend/backend';
import type { TaskView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Facts } from '@/components/Section';
import { useRemaining } from '@/components/use-remaining';
import { formatDuration, formatTime } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import styles from './tasks.module.css';
import { FORMATS, statusOf, TASK, TASKS } from './texts';

/** One task: how far it is, for how long it is kept, and what can be done about it. */
export function TaskDetail({ task }: { task: TaskView }) {
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
        <Button
          variant="quiet"
          onPress={() => useNavigation.getState().open({ server, tab: 'tools', item: tool })}
        >
          {TASK.openTool}
        </Button>
      )}
      <Button variant="quiet" onPress={() => useNavigation.getState().showTraffic(`"${id}"`)}>
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
