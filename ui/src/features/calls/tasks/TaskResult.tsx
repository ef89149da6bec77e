import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CallReport, CommandError, TaskView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { EmptyState } from '@/components/EmptyState';
import { useAsyncEffect } from '@/components/use-async-effect';
import type { Run } from '@/state/calls/runs';
import { ResultPane } from '@/widgets/result/ResultPane';
import { TASKS } from './texts';

/** The result of a task once it has ended; until then its progress and its question. */
export function TaskResult({ task }: { task: TaskView }) {
  const backend = useBackend();
  const { server, follow } = task;
  const { id, status } = task.facts;
  const [ended, setEnded] = useState<{ report?: CallReport; failure?: CommandError }>({});
  const hasResult = follow === 'ended' && status !== 'cancelled';
  useAsyncEffect(
    () =>
      hasResult
        ? {
            start: () => backend.getTaskResult(server, id),
            onValue: (report) => setEnded({ report }),
            onError: (reason) => setEnded({ failure: asCommandError(reason) }),
          }
        : null,
    [backend, server, id, hasResult],
  );
  const run: Run = {
    key: task.call ?? id,
    startedAt: task.created,
    task: id,
    ...(hasResult ? ended : {}),
  };
  const isUnderWay = follow === 'following';
  const isThere = hasResult && (ended.report !== undefined || ended.failure !== undefined);
  return (
    <ResultPane
      run={isUnderWay || isThere ? run : undefined}
      server={server}
      name={task.tool ?? TASKS.label}
    >
      {status === 'cancelled' && follow === 'ended' ? (
        <EmptyState title={TASKS.cancelled}>{TASKS.cancelledHint}</EmptyState>
      ) : follow === 'notConnected' ? (
        <EmptyState title={TASKS.notAsked}>{TASKS.notAskedHint}</EmptyState>
      ) : (
        <EmptyState title={TASKS.noResult}>{TASKS.noResultHint}</EmptyState>
      )}
    </ResultPane>
  );
}
