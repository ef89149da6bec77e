import { useEffect } from 'react';
import type { ServerId } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { Select } from '@/components/Select';
import { taskEra, useTasks, useTaskWish } from '@/state/calls/tasks';
import { useServers } from '@/state/servers/servers';
import { TASK } from './texts';
import type { ToolDefinition } from './tool-definition';
import styles from './tools.module.css';

interface Props {
  server: ServerId;
  tool: string;
  support: ToolDefinition['taskSupport'];
}

/** Milliseconds for which a server can be asked to keep a result; empty leaves it to the server. */
const TTLS = [
  { value: '', label: TASK.serverDecides },
  { value: '60000', label: TASK.minute },
  { value: '600000', label: TASK.tenMinutes },
  { value: '3600000', label: TASK.hour },
  { value: '86400000', label: TASK.day },
];
const OPEN = { ttlMs: null };

/**
 * Chooses whether a tool is called as a task, where the server leaves that to the client (MCP
 * 2025-11-25, Tasks).
 */
export function AsTask({ server, tool, support }: Props) {
  const isOffered = useServers(({ servers }) => {
    const known = servers.find(({ id }) => id === server);
    return known !== undefined && taskEra(known) === 'legacy';
  });
  const wish = useTaskWish(server, tool);
  const setAsTask = useTasks((state) => state.setAsTask);
  const isRequired = isOffered && support === 'required';
  useEffect(() => {
    if (isRequired && wish === null) setAsTask(server, tool, OPEN);
  }, [isRequired, wish, setAsTask, server, tool]);
  if (!isOffered || support === undefined) return null;
  return (
    <span className={styles.asTask} title={isRequired ? TASK.required : TASK.meaning}>
      <Checkbox
        isSelected={wish !== null || isRequired}
        isDisabled={isRequired}
        onChange={(isTask) => setAsTask(server, tool, isTask ? OPEN : null)}
      >
        {TASK.asTask}
      </Checkbox>
    </span>
  );
}

/** Asks the server to keep the result of the task for some time, where the tool is run as one. */
export function TaskTtl({ server, tool }: Pick<Props, 'server' | 'tool'>) {
  const wish = useTaskWish(server, tool);
  const setAsTask = useTasks((state) => state.setAsTask);
  if (wish === null) return null;
  return (
    <Select
      label={TASK.keep}
      className={styles.ttl}
      choices={TTLS}
      value={String(wish.ttlMs ?? '')}
      onChange={(ttl) => setAsTask(server, tool, { ttlMs: ttl === '' ? null : Number(ttl) })}
    />
  );
}
