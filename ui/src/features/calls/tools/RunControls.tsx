import { BookmarkPlus, ChevronDown } from 'lucide-react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { Menu } from '@/components/Menu';
import { formatDuration } from '@/lib/format';
import { useAction } from '@/state/actions';
import { newCallKey } from '@/state/calls/calls';
import { isRunning, type Run, track, useRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { showError } from '@/state/notices';
import { callParams, saveRequest } from '@/state/tests/save-request';
import { useRunTime } from '@/widgets/result/use-run-time';
import { compare, endComparison, runAs, useIdentities } from './comparisons';
import { closeHistory } from './history/shown-history';
import { endRunComparison } from './run-comparison';
import { IDENTITIES, TOOL } from './texts';
import styles from './tools.module.css';

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

/** Runs a tool, and cancels the call while it is under way. */
export function RunControls({ server, tool, runId, text, blocked, onRun }: Props) {
  const backend = useBackend();
  const run = useRun(runId);
  const running = isRunning(run) ? run : undefined;

  const start = () => {
    if (running || blocked) return;
    onRun();
    endComparison(runId);
    endRunComparison(runId);
    closeHistory(runId);
    startRun(backend, server, { kind: 'tool', name: tool, input: text });
  };
  const compareAs = (identity: string, other: string) => {
    start();
    compare({ runId, identities: [identity, other] });
    const key = newCallKey();
    void track(runAs(runId, other), key, () => backend.callToolAs(server, other, key, tool, text));
  };
  const save = () => saveRequest(server, tool, 'tools/call', callParams(tool, text));
  const cancel = () => {
    if (!running) return;
    const cancelled =
      running.task === undefined
        ? backend.cancelCall(server, running.key)
        : backend.cancelTask(server, running.task);
    cancelled.catch(showError);
  };
  useAction('call.run', start, { when: running === undefined });
  useAction('call.cancel', cancel, { when: running !== undefined });

  return (
    <span className={styles.run}>
      {/* One button, which keeps the focus, and is not built anew twice in every call. */}
      <Button
        variant={running ? 'plain' : 'primary'}
        isDisabled={!running && blocked}
        onPress={running ? cancel : start}
        aria-label={running ? undefined : TOOL.run}
      >
        {running ? (
          <>
            {TOOL.cancel} <Elapsed server={server} run={running} />
          </>
        ) : (
          <>
            {TOOL.run} <Kbd shortcut="mod+enter" />
          </>
        )}
      </Button>
      {!running && (
        <IconButton label={TOOL.saveRequest} variant="plain" isDisabled={blocked} onPress={save}>
          <BookmarkPlus size={14} aria-hidden="true" />
        </IconButton>
      )}
      {!running && <CompareMenu server={server} isDisabled={blocked} onCompare={compareAs} />}
    </span>
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

function Elapsed({ server, run }: { server: ServerId; run: Run }) {
  const time = useRunTime(server, run);
  return <span className="figures faint">{formatDuration(time.server)}</span>;
}
