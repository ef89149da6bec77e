import type { Backend } from '@/backend/backend';
import type { CallReport, ServerId } from '@/backend/bindings';
import { showError } from '@/state/notices';
import { whenConnected } from '@/state/servers/connecting';
import { isConnected } from '@/state/servers/servers';
import { newCallKey } from './calls';
import { useQuestions, waitingOf } from './questions';
import { lastEnded, type Run, runIdOf, track } from './runs';
import { callOfTask, resultOfTask, taskWish } from './tasks';

/** A request that is made by hand, with all that it takes to make it again. */
export type Request =
  /** `definition` is the one that the user saw, where that is known: another one is not called. */
  | { kind: 'tool'; name: string; input: string; definition: string | null }
  | { kind: 'prompt'; name: string; values: Readonly<Record<string, string>> }
  /** `open` takes an earlier answer where the server says that it still holds. */
  | { kind: 'resource'; name: string; how?: 'open' | 'read' };

interface WaitingRun {
  readonly key: string;
  readonly stop: AbortController;
}

/** The requests that wait for a connection, one of each tool, prompt and resource. */
const waiting = new Map<string, WaitingRun>();

/**
 * Sends a request, and keeps its outcome where its form shows it. Connects on the way where that is
 * needed; `isAnew` starts the server anew first, and compares with what came of it before: there a
 * changed definition is called too. An earlier one of the same that still waits is not sent any more.
 */
export function startRun(
  backend: Backend,
  server: ServerId,
  request: Request,
  { isAnew = false } = {},
): void {
  const key = newCallKey();
  const { kind, name } = request;
  const [send, input] = sending(backend, server, key, request, isAnew);
  const began = Date.now();
  const finish = async (task: string) =>
    sinceCall(await resultOfTask(backend, server, task), { server, task, began });
  const id = runIdOf(kind, server, name);
  const comparedWith = isAnew ? lastEnded(id) : undefined;
  const start = async () => {
    waiting.get(id)?.stop.abort();
    if (isAnew || !isConnected(server)) {
      const run = { key, stop: new AbortController() };
      waiting.set(id, run);
      const connected = whenConnected(backend, server, { isAnew, signal: run.stop.signal });
      await connected.finally(() => {
        if (waiting.get(id) === run) waiting.delete(id);
      });
    }
    return send();
  };
  void track(id, { key, input, comparedWith }, start, finish);
}

/** Tells whether a request waits for its connection. */
export function isWaiting({ key }: Run): boolean {
  return waitingRun(key) !== undefined;
}

function waitingRun(key: string): WaitingRun | undefined {
  return [...waiting.values()].find((run) => run.key === key);
}

/** Stops a request that is under way, or waits for its connection. */
export function stopRun(backend: Backend, server: ServerId, { key, task }: Run): void {
  const waits = waitingRun(key);
  if (waits) waits.stop.abort();
  else if (task === undefined) backend.cancelCall(server, key).catch(showError);
  else backend.cancelTask(server, task).catch(showError);
}

function sending(
  backend: Backend,
  server: ServerId,
  key: string,
  request: Request,
  isAnew: boolean,
) {
  const { name } = request;
  switch (request.kind) {
    case 'tool': {
      const task = taskWish(server, name);
      const shown = isAnew ? null : request.definition;
      return [
        () => backend.callTool(server, key, name, request.input, task, shown),
        request.input,
      ] as const;
    }
    case 'prompt': {
      const values = Object.entries(request.values);
      return [
        () => backend.getPrompt(server, key, name, values),
        JSON.stringify(request.values),
      ] as const;
    }
    case 'resource':
      return request.how === 'open'
        ? ([() => backend.openResource(server, key, name)] as const)
        : ([() => backend.readResource(server, key, name)] as const);
  }
}

/** The report of a task with the time since its call, instead of that of the request for it. */
function sinceCall(
  report: CallReport,
  { server, task, began }: { server: ServerId; task: string; began: number },
): CallReport {
  const duration = Date.now() - began;
  const waits = waitingOf(useQuestions.getState(), { server, call: callOfTask(task), began });
  return { ...report, request: { ...report.request, duration, waited: waits.before } };
}
