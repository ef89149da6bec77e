import { ListBox, ListBoxItem } from 'react-aria-components';
import type { ServerView, TaskView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { formatClock } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { taskEra, useTasks } from '@/state/calls/tasks';
import { ListButton } from './ListButton';
import { statusOf } from './status';
import { TaskDetail } from './TaskDetail';
import { TaskResult } from './TaskResult';
import styles from './tasks.module.css';
import { TASKS } from './texts';

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
