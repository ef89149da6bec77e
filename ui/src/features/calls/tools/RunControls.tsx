import { ChevronDown } from 'lucide-react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { Menu } from '@/components/Menu';
import { useAskedRun } from '@/state/calls/asked-run';
import { newCallKey } from '@/state/calls/calls';
import { isRunning, track, useRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { callParams, saveRequest } from '@/state/tests/save-request';
import { RunButtons } from '@/widgets/result/RunButtons';
import { runAs, useIdentities } from './comparisons';
import { showResult, showView } from './result-views';
import { IDENTITIES, TOOL } from './texts';

interface Props {
  server: ServerId;
  tool: string;
  runId: string;
  /** The arguments as they are sent. */
  text: string;
  /** True if they cannot be sent at all. */
  blocked: boolean;
  onRun(): void;
}

/** Runs a tool, also as two identities. */
export function RunControls({ server, tool, runId, text, blocked, onRun }: Props) {
  const backend = useBackend();
  const run = useRun(runId);
  const start = (options?: { isAnew: boolean }) => {
    onRun();
    showResult(runId);
    startRun(backend, server, { kind: 'tool', name: tool, input: text }, options);
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
      showsRestart={false}
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
        <IconButton label={IDENTITIES.compare} variant="plain" isDisabled={isDisabled}>
          <ChevronDown size={14} aria-hidden="true" />
        </IconButton>
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
