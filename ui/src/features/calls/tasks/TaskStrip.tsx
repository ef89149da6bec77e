import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { useTasks } from '@/state/calls/tasks';
import { openPlace } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { TASK_STRIP, TASKS } from './texts';

/**
 * Counts the tasks of a server above its tools, with the way to them and to those it lists. Where
 * there are none yet, the palette has that way.
 */
export function TaskStrip({ server }: { server: ServerView }) {
  const tasks = useTasks((state) => state.tasks).filter((task) => task.server === server.id);
  if (tasks.length === 0) return null;
  const running = tasks.filter(({ follow }) => follow === 'following').length;
  const show = () => openPlace({ server: server.id, tab: 'tasks' });
  return (
    <section aria-label={TASK_STRIP.label} className="bar wrap gap-4 pad-x-6 pad-y-2">
      <span role="status" className="row-inline gap-3">
        {running > 0 && <Glyph glyph="◐" tone="busy" />}
        {TASK_STRIP.count(running, tasks.length - running)}
      </span>
      <Button onPress={show}>{TASK_STRIP.show}</Button>
      <ListButton server={server} />
    </section>
  );
}

/** Takes over the tasks that the server lists, where it does. */
export function ListButton({ server }: { server: ServerView }) {
  const backend = useBackend();
  if (!server.status.handshake?.features.taskList) return null;
  const ask = () =>
    backend
      .listServerTasks(server.id)
      .then((count) => showNote(TASKS.found(count)))
      .catch(showError);
  return <Button onPress={() => void ask()}>{TASKS.list}</Button>;
}
