import { ChevronDown } from 'lucide-react';
import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { Checkbox } from '@/components/Checkbox';
import { Menu } from '@/components/Menu';
import { Select } from '@/components/Select';
import { useAskedRun } from '@/state/calls/asked-run';
import { newCallKey } from '@/state/calls/calls';
import { isRunning, track, useRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { taskEra, useTasks, useTaskWish } from '@/state/calls/tasks';
import { useServers } from '@/state/servers/servers';
import { callParams, saveRequest } from '@/state/tests/save-request';
import { RunButtons } from '@/widgets/result/RunButtons';
import { runAs, showResult, showView, useIdentities } from './result-views';
import { IDENTITIES, TASK, TOOL } from './texts';
import type { ToolDefinition } from './tool-definition';
import styles from './tools.module.css';

interface Props {
  server: ServerId;
  tool: string;
  /** The definition that is shown. */
  definition: string;
  runId: string;
  /** The arguments as they are sent. */
  text: string;
  /** True if they cannot be sent at all. */
  blocked: boolean;
  onRun(): void;
}

/** Runs a tool, also as two identities. */
export function RunControls({ server, tool, definition, runId, text, blocked, onRun }: Props) {
  const backend = useBackend();
  const run = useRun(runId);
  const start = (options?: { isAnew: boolean }) => {
    onRun();
    showResult(runId);
    startRun(backend, server, { kind: 'tool', name: tool, input: text, definition }, options);
  };
  useAskedRun(runId, () => blocked || isRunning(run) || start());
  const compareAs = (identity: string, other: string) => {
    start();
    showView(runId, { identities: [identity, other] });
    const key = newCallKey();
    const callAsOther = () => backend.callToolAs(server, other, key, tool, text);
    void track(runAs(runId, other), { key }, callAsOther);
  };
  return (
    <RunButtons
      server={server}
      run={run}
      title={TOOL.run}
      isBlocked={blocked}
      hasMenu
      onRun={start}
      onSave={() => saveRequest(server, tool, 'tools/call', callParams(tool, text))}
    >
      <CompareMenu server={server} isDisabled={blocked} onCompare={compareAs} />
    </RunButtons>
  );
}

interface CompareMenuProps {
  server: ServerId;
  isDisabled: boolean;
  onCompare(identity: string, other: string): void;
}

/** Runs the same call as two identities, where the server knows so many. */
function CompareMenu({ server, isDisabled, onCompare }: CompareMenuProps) {
  const { identity, others } = useIdentities(server);
  if (identity === null || others.length === 0) return null;
  return (
    <Menu
      label={IDENTITIES.compare}
      trigger={
        <IconButton
          icon={ChevronDown}
          label={IDENTITIES.compare}
          variant="plain"
          isDisabled={isDisabled}
        />
      }
      groups={[
        others.map((other) => ({
          id: other,
          title: IDENTITIES.runAs(identity, other),
          run: () => onCompare(identity, other),
        })),
      ]}
    />
  );
}

interface AsTaskProps {
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
export function AsTask({ server, tool, support }: AsTaskProps) {
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
export function TaskTtl({ server, tool }: Pick<AsTaskProps, 'server' | 'tool'>) {
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
