import { Timer } from 'lucide-react';
import { useEffect } from 'react';
import type { ServerId } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { Checkbox } from '@/components/Checkbox';
import { Menu } from '@/components/Menu';
import { useServers } from '@/state/servers';
import { taskEra, useTasks, useTaskWish } from '@/state/tasks';
import { TASK } from './texts';
import type { ToolDefinition } from './tool-definition';
import styles from './tools.module.css';

interface Props {
  server: ServerId;
  tool: string;
  support: ToolDefinition['taskSupport'];
}

/** Milliseconds for which a server can be asked to keep a result; null leaves it to the server. */
const TTLS = [
  { ttl: null, name: TASK.serverDecides },
  { ttl: 60_000, name: TASK.minute },
  { ttl: 600_000, name: TASK.tenMinutes },
  { ttl: 3_600_000, name: TASK.hour },
  { ttl: 86_400_000, name: TASK.day },
] as const;
const OPEN = { ttl_ms: null };

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
      {wish !== null && (
        <Menu
          label={TASK.keep}
          trigger={
            <IconButton label={TASK.kept(nameOf(wish.ttl_ms))} variant="plain">
              <Timer size={14} aria-hidden="true" />
            </IconButton>
          }
          groups={[
            TTLS.map(({ ttl, name }) => ({
              id: String(ttl),
              title: wish.ttl_ms === ttl ? TASK.chosen(name) : name,
              run: () => setAsTask(server, tool, { ttl_ms: ttl }),
            })),
          ]}
        />
      )}
    </span>
  );
}

function nameOf(wanted: number | null): string {
  return TTLS.find(({ ttl }) => ttl === wanted)?.name ?? TASK.serverDecides;
}
