import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { showError, showNote } from '@/state/notices';
import { TASKS } from './texts';

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
