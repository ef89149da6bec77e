import { useEffect } from 'react';
import type { ServerId } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { useServers } from '@/state/servers';
import { taskEra, useAsTask, useTasks } from '@/state/tasks';
import { TASK } from './texts';
import type { ToolDefinition } from './tool-definition';
import styles from './tools.module.css';

interface Props {
  server: ServerId;
  tool: string;
  support: ToolDefinition['taskSupport'];
}

/**
 * Chooses whether a tool is called as a task, where the server leaves that to the client (MCP
 * 2025-11-25, Tasks).
 */
export function AsTask({ server, tool, support }: Props) {
  const isOffered = useServers(({ servers }) => {
    const known = servers.find(({ id }) => id === server);
    return known !== undefined && taskEra(known) === 'legacy';
  });
  const isChosen = useAsTask(server, tool);
  const setAsTask = useTasks((state) => state.setAsTask);
  const isRequired = isOffered && support === 'required';
  useEffect(() => {
    if (isRequired) setAsTask(server, tool, true);
  }, [isRequired, setAsTask, server, tool]);
  if (!isOffered || support === undefined) return null;
  return (
    <span className={styles.asTask} title={isRequired ? TASK.required : TASK.meaning}>
      <Checkbox
        isSelected={isChosen || isRequired}
        isDisabled={isRequired}
        onChange={(isTask) => setAsTask(server, tool, isTask)}
      >
        {TASK.asTask}
      </Checkbox>
    </span>
  );
}
