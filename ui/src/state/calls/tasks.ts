import { create } from 'zustand';
import type { Backend } from '@/backend/backend';
import type {
  CallReport,
  CommandError,
  Era,
  ServerId,
  ServerView,
  TaskRequest,
  TaskView,
} from '@/backend/bindings';

interface TasksState {
  /** The tasks of all servers, the newest first. */
  tasks: readonly TaskView[];
  /** The chosen task of each server, by its id. */
  chosen: Readonly<Record<ServerId, string>>;
  /**
   * The tools that the user runs as tasks, where their server leaves that to the client, with what
   * is asked for.
   */
  asTask: ReadonlyMap<string, TaskRequest>;
  replace(tasks: readonly TaskView[]): void;
  set(task: TaskView): void;
  forget(server: ServerId, id: string): void;
  choose(server: ServerId, id: string): void;
  setAsTask(server: ServerId, tool: string, wish: TaskRequest | null): void;
}

const isOf = (server: ServerId, id: string) => (task: TaskView) =>
  task.server === server && task.facts.id === id;

const toolKey = (server: ServerId, tool: string) => `${server}\n${tool}`;

export const useTasks = create<TasksState>((set) => ({
  tasks: [],
  chosen: {},
  asTask: new Map(),
  // A fact that came before this list may be newer.
  replace: (tasks) =>
    set(({ tasks: known }) => ({
      tasks: tasks.map((task) => {
        const newer = known.find(isOf(task.server, task.facts.id));
        return newer && newer.updated > task.updated ? newer : task;
      }),
    })),
  set: (task) =>
    set(({ tasks }) => {
      const isSame = isOf(task.server, task.facts.id);
      const isKnown = tasks.some(isSame);
      return {
        tasks: isKnown ? tasks.map((known) => (isSame(known) ? task : known)) : [task, ...tasks],
      };
    }),
  forget: (server, id) =>
    set(({ tasks }) => ({ tasks: tasks.filter((task) => !isOf(server, id)(task)) })),
  choose: (server, id) => set(({ chosen }) => ({ chosen: { ...chosen, [server]: id } })),
  setAsTask: (server, tool, wish) =>
    set(({ asTask }) => {
      const next = new Map(asTask);
      if (wish) next.set(toolKey(server, tool), wish);
      else next.delete(toolKey(server, tool));
      return { asTask: next };
    }),
}));

/** The task that the user asks for when this tool is run; null for an ordinary call. */
export function useTaskWish(server: ServerId, tool: string): TaskRequest | null {
  return useTasks(({ asTask }) => asTask.get(toolKey(server, tool)) ?? null);
}

/** The same, at one moment. */
export function taskWish(server: ServerId, tool: string): TaskRequest | null {
  return useTasks.getState().asTask.get(toolKey(server, tool)) ?? null;
}

/** Tells whether any task of a server is known, ended or not. */
export function useHasTasks(server: ServerId | undefined): boolean {
  return useTasks(({ tasks }) => tasks.some((task) => task.server === server));
}

/** Counts the tasks of a server that have not ended. */
export function useTaskCount(server: ServerId): number {
  return useTasks(({ tasks }) =>
    tasks.reduce(
      (count, task) => count + (task.server === server && task.follow === 'following' ? 1 : 0),
      0,
    ),
  );
}

/** The call that the questions of a task belong to. */
export function callOfTask(id: string): string {
  return `task ${id}`;
}

/**
 * The era of a connected server that makes tasks of calls; null for one that does not. In the
 * `initialize` era each call asks for it, in the stateless one the server decides.
 */
export function taskEra({ status: { handshake } }: Pick<ServerView, 'status'>): Era | null {
  return handshake?.features.tasks ? handshake.era : null;
}

/** Waits until a task has ended and returns its result. Rejects with a `CommandError`. */
export async function resultOfTask(
  backend: Backend,
  server: ServerId,
  id: string,
): Promise<CallReport> {
  const task = await settledTask(server, id);
  if (task?.follow === 'ended' && task.facts.status !== 'cancelled') {
    return backend.getTaskResult(server, id);
  }
  throw withoutResult(task);
}

function withoutResult(task: TaskView | null): CommandError {
  if (task === null) return { code: 'cancelled', message: 'The task was forgotten.', hint: null };
  switch (task.follow) {
    case 'unknown':
      return {
        code: 'notFound',
        message: 'The server does not know the task any more.',
        hint: task.problem,
      };
    case 'notConnected':
      return {
        code: 'connectionLost',
        message: 'The connection ended before the task did.',
        hint: 'Tasks asks for it again once the server is connected.',
      };
    default:
      return {
        code: 'cancelled',
        message: 'The task was cancelled.',
        hint: task.facts.message,
      };
  }
}

/** Waits until a task is not followed any more; null when it was forgotten. */
function settledTask(server: ServerId, id: string): Promise<TaskView | null> {
  return new Promise((resolve) => {
    // Its first fact may come after the answer that created it.
    let isKnown = false;
    const look = ({ tasks }: TasksState) => {
      const task = tasks.find(isOf(server, id));
      if (task ? task.follow === 'following' : !isKnown) {
        isKnown ||= task !== undefined;
        return false;
      }
      resolve(task ?? null);
      return true;
    };
    if (look(useTasks.getState())) return;
    const end = useTasks.subscribe((state) => {
      if (look(state)) end();
    });
  });
}
